// Runs first in every document. Lets the scripts after it replace functions of the browser such that the new ones have the
// name, length and text of the old ones: libraries test them before they use a function, or bring their own. The scripts get
// the tools by Function.prototype.toString.call(KEY); KEY is a secret.
(key => {
  "use strict";
  const {apply, defineProperty, getOwnPropertyDescriptor} = Reflect, toText = Function.prototype.toString;
  const {get, set} = WeakMap.prototype, texts = new WeakMap();
  const textOf = value => apply(get, texts, [value]) ?? apply(toText, value, []);
  const setText = (replacement, text) => { apply(set, texts, [replacement, text]); return replacement; };
  // The function is wrapped: work gets the original, this and the arguments.
  const wrap = (original, work) => {
    const {name, length} = original, wrapper = {wrapper(...given) { return work(original, this, given); }}.wrapper;
    defineProperty(wrapper, "name", {value: name, configurable: true});
    defineProperty(wrapper, "length", {value: length, configurable: true});
    return setText(wrapper, textOf(original));
  };
  // Replaces a method, getter or setter of an owner.
  const replace = (owner, name, kind, work) => {
    const found = owner && getOwnPropertyDescriptor(owner, name);
    if (found?.[kind] && found.configurable) defineProperty(owner, name, {...found, [kind]: wrap(found[kind], work)});
  };
  const tools = {setText, replace, textOf};
  replace(Function.prototype, "toString", "value", (original, self) => self === key ? tools : textOf(self));
})("KEY")
