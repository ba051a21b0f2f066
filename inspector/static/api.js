// Requests to the server. Addresses are relative, below the token. A page written as a file holds its answers itself.

const embedded = document.getElementById("answers");
const answers = embedded && JSON.parse(embedded.textContent);

/** A failed request; `status` is 0 if the server could not be reached. */
export class Refused extends Error {
  constructor(status, why) {
    super(why);
    this.status = status;
  }
}

async function asked(path, how) {
  if (answers) {
    if (path in answers) return answers[path];
    throw new Refused(404, "this is not part of the file");
  }
  let answer;
  try {
    answer = await fetch(path, { cache: "no-store", credentials: "omit", ...how });
  } catch {
    throw new Refused(0, "the inspector does not answer: is it still running?");
  }
  if (answer.ok) return answer.json();
  let why = answer.statusText;
  try {
    const body = await answer.json();
    why = body.error.message;
  } catch { /* no reason was given */ }
  throw new Refused(answer.status, why);
}

export const get = path => asked(path, {});

export const post = (path, body) =>
  asked(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

export const pagePath = (id, rest = "") => `api/pages/${encodeURIComponent(id)}${rest}`;

/** The address of a picture. */
export const pictureAt = path => answers?.[path] ?? path;
