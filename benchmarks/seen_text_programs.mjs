// Runs Readability.js and Defuddle on the pages of an exported suite: npm install @mozilla/readability jsdom defuddle
// node benchmarks/seen_text_programs.mjs FOLDER [STEP]; Defuddle takes about a second a page: it reads each STEP-th one (3).
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { JSDOM } from "jsdom";

const folder = process.argv[2], step = Number(process.argv[3] ?? 3);
const plain = html => new JSDOM(html).window.document.body.textContent;
const programs = {
  readability: async dom => new Readability(dom.window.document).parse()?.textContent ?? "",
  defuddle: async dom => plain((await Defuddle(dom.window.document, "https://example.org/")).content),
};
for (const [name, program] of Object.entries(programs)) {
  mkdirSync(join(folder, name), { recursive: true });
  const files = readdirSync(join(folder, "rendered")).sort();
  for (const file of files.filter((_, index) => name !== "defuddle" || index % step === 0)) {
    const output = join(folder, name, file.replace(/html$/, "txt"));
    if (existsSync(output)) continue; // a second run continues an interrupted one
    const dom = new JSDOM(readFileSync(join(folder, "rendered", file), "utf8"), { url: "https://example.org/" });
    let text = "";
    try { text = await program(dom); } catch (error) { console.error(name, file, String(error).slice(0, 100)); }
    writeFileSync(output, text);
    dom.window.close();
  }
}
