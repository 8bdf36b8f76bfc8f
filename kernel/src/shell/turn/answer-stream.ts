/**
 * Shows an answer while it is written, where it arrives as the JSON arguments of `send_message`. Feed the fragments; each
 * gives the text of the string `message` that is certain by then.
 */
export class AnswerStream {
  #json = '';
  #shown = 0;

  push(fragment: string): string {
    this.#json += fragment;
    const text = decodedPrefix(this.#json);
    const fresh = text.slice(this.#shown);
    this.#shown = text.length;
    return fresh;
  }
}

const START = /^\s*\{[\s\S]*?"message"\s*:\s*"/;

function decodedPrefix(json: string): string {
  const start = START.exec(json);
  if (!start) return '';
  const body = json.slice(start[0].length);
  const end = stringEnd(body);
  return decode(end === undefined ? withoutOpenEscape(body) : body.slice(0, end));
}

function stringEnd(body: string): number | undefined {
  for (let index = 0; index < body.length; index++) {
    if (body[index] === '\\') index++;
    else if (body[index] === '"') return index;
  }
  return undefined;
}

/** An escape, or the first half of a surrogate pair, may still be incomplete at the end. */
function withoutOpenEscape(body: string): string {
  return body.replace(
    /(?:\\u[dD][89abAB][0-9a-fA-F]{2})?\\(?:u[0-9a-fA-F]{0,3})?$|\\u[dD][89abAB][0-9a-fA-F]{2}$/,
    '',
  );
}

function decode(body: string): string {
  try {
    const value: unknown = JSON.parse(`"${body.replace(/[\n\r\t]/g, ' ')}"`);
    return typeof value === 'string' ? value : '';
  } catch {
    return ''; // Not valid so far: nothing is certain, so nothing is shown.
  }
}
