// Answers of a package of npm: a line of JSON for each line of JSON, as python_peer.py.
// Usage: node node_peer.mjs FOLDER defuddle|readability, with the packages in FOLDER/node_modules.
// Pages run no scripts and fetch nothing.
import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, name] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(folder), "package.json"));
const load = (file) => import(pathToFileURL(path.join(path.resolve(folder), "node_modules", file)).href);

/** Write a line, all of it: standard output is a pipe. */
const say = (value) => {
  let rest = Buffer.from(JSON.stringify(value) + "\n");
  while (rest.length) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
};
// What a package prints must not come between the answers.
for (const kind of ["log", "info", "warn", "debug", "error"]) console[kind] = () => {};

const packages = {
  readability: async () => {
    const { Readability } = require("@mozilla/readability");
    const { JSDOM, VirtualConsole } = require("jsdom");
    return ({ html, url }) => {
      const window = new JSDOM(html, { url: url || "https://page.invalid/", virtualConsole: new VirtualConsole() }).window;
      try {
        return { html: new Readability(window.document).parse()?.content ?? "" };
      } finally {
        window.close();
      }
    };
  },
  defuddle: async () => {
    const { parseHTML } = require("linkedom");
    const { Defuddle } = await load("defuddle/dist/node.js");
    // Without useAsync: false it would ask services of others for some pages.
    return async ({ html, url }) => {
      const { document } = parseHTML(html);
      const { content, title, author, published } = await Defuddle(document, url || "https://page.invalid/", { useAsync: false });
      return { html: content ?? "", title, author, date: published };
    };
  },
};
const files = { readability: "@mozilla/readability", defuddle: "defuddle" };

const answer = await packages[name]();
const manifest = path.join(path.resolve(folder), "node_modules", files[name], "package.json");
say({ version: JSON.parse(readFileSync(manifest, "utf8")).version });
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  try {
    say(await answer(JSON.parse(line)));
  } catch (error) {
    say({ error: String(error).slice(0, 300) });
  }
}
process.exit(0);
