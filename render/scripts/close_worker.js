// Closes a worker (browser_calls.js), in a task of its own: closed during the one that was ended, it still stops the clock
// of the page.
setTimeout(() => dispatchEvent(new Event("END")))
