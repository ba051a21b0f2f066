// Runs first in every document. Lets the scripts after it replace functions of the browser such that the new ones have the
// name, length and text of the old ones. They get the tools by Function.prototype.toString.call(KEY); KEY is a secret.
(key => {
  "use strict";
  const {apply, defineProperty, getOwnPropertyDescriptor} = Reflect, toText = Function.prototype.toString;
  const {get, set} = WeakMap.prototype, {replace: replaceIn} = String.prototype, isError = Error[Symbol.hasInstance].bind(Error);
  // Frames of one origin share the texts: one can read the text of a function of another. The parent's own functions may
  // be the page's by now, and must not learn the key; those of this document are still the browser's.
  const question = {texts: undefined};
  try { if (parent !== window) apply(dispatchEvent, parent, [new CustomEvent(key, {detail: question})]); } catch {}
  const texts = question.texts ?? new WeakMap();
  addEventListener(key, event => { event.detail.texts = texts; });
  const textOf = value => apply(get, texts, [value]) ?? apply(toText, value, []);
  // Not the frames of the replacements.
  const trim = error => {
    const stack = isError(error) ? error.stack : undefined;
    if (typeof stack === "string") error.stack = apply(replaceIn, stack, [/\n[^\n]*native:\d+:\d+\)?/g, ""]);
    return error;
  };
  const disguise = (replacement, text) => { apply(set, texts, [replacement, text]); return replacement; };
  // The function is wrapped: work gets the original, this and the arguments.
  const wrap = (original, work) => {
    const {name, length} = original;
    const wrapper = {wrapper(...given) { try { return work(original, this, given); } catch (error) { throw trim(error); } }}.wrapper;
    defineProperty(wrapper, "name", {value: name, configurable: true});
    defineProperty(wrapper, "length", {value: length, configurable: true});
    return disguise(wrapper, textOf(original));
  };
  // Replaces a method, getter or setter of an owner.
  const replace = (owner, name, kind, work) => {
    const found = owner && getOwnPropertyDescriptor(owner, name);
    if (found?.[kind] && found.configurable) defineProperty(owner, name, {...found, [kind]: wrap(found[kind], work)});
  };
  const tools = {disguise, replace, textOf};
  replace(Function.prototype, "toString", "value", (original, self) => self === key ? tools : textOf(self));
})("KEY")
//# sourceURL=native
