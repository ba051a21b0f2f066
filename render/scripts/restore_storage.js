// Fills the local storage of an origin with [name, value] entries; keeps values that are there already.
((origin, entries) => {
  if (location.origin === origin)
    for (const [name, value] of entries)
      if (localStorage.getItem(name) === null) localStorage.setItem(name, value);
})
