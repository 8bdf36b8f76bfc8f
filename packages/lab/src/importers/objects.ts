/**
 * The objects of a JSON file one by one, without the file in memory: those of an array, or those that stand one after another,
 * as in JSON lines. Only where they begin and end is seen here, by their brackets; what is in them is JSON's to say.
 */
import { basename } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import type { z } from 'zod';
import { readBytes } from './lines.js';
import { shaped } from './source.js';

export interface ObjectText {
  readonly text: string;
  /** Where it begins, both from 1. */
  readonly line: number;
  readonly number: number;
}

/** Objects of one shape. Errors: `E_NOT_FOUND`; `E_TRACE`, naming the line, which object it is, and the field. */
export async function* shapedObjects<S extends z.ZodType>(
  file: string,
  shape: S,
): AsyncGenerator<{ readonly value: z.output<S>; readonly line: number; readonly number: number }> {
  for await (const { text, line, number } of readObjects(file)) {
    const where = `${basename(file)}, line ${line}, object ${number}`;
    yield { value: shaped(shape, parsed(text, where), where), line, number };
  }
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PagefaultError('E_TRACE', `${where} is not JSON`, { cause });
  }
}

/** Errors: `E_NOT_FOUND`; `E_TRACE` where something else stands, or the file ends amid an object. */
export async function* readObjects(file: string): AsyncGenerator<ObjectText> {
  const scanner = new Scanner(file);
  for await (const bytes of readBytes(file)) yield* scanner.take(bytes);
  scanner.end();
}

/** Of a JSON text only; no byte of a longer character of UTF-8 is one of these. */
const [QUOTE, BACKSLASH, COMMA, NEW_LINE] = [0x22, 0x5c, 0x2c, 0x0a];
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const ARRAY = 0x5b;
/** Blanks, and the byte order mark. */
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, NEW_LINE, 0xef, 0xbb, 0xbf]);

class Scanner {
  readonly #file: string;
  /** Of the object that is read; it may go over many pieces of the file. */
  #pieces: Uint8Array[] = [];
  #isInText = false;
  #isEscaped = false;
  #depth = 0;
  /** 1 within an array of objects; undefined before anything was seen. */
  #base: 0 | 1 | undefined;
  #hasEnded = false;
  #line = 1;
  #begun = 1;
  #number = 0;

  constructor(file: string) {
    this.#file = file;
  }

  *take(bytes: Uint8Array): Generator<ObjectText> {
    let from = this.#isWithin() ? 0 : -1;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === NEW_LINE) this.#line++;
      if (this.#isInText) this.#text(byte);
      else if (this.#isWithin()) {
        if (!this.#inside(byte)) continue;
        yield this.#object(bytes.subarray(from, at + 1));
        from = -1;
      } else if (this.#outside(byte)) from = at;
    }
    if (from >= 0) this.#pieces.push(bytes.slice(from));
  }

  #isWithin(): boolean {
    return this.#depth > (this.#base ?? 0);
  }

  #text(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInText = false;
  }

  /** Whether the object ends here. */
  #inside(byte: number): boolean {
    if (byte === QUOTE) this.#isInText = true;
    else if (OPENING.has(byte)) this.#depth++;
    else if (CLOSING.has(byte)) this.#depth--;
    return !this.#isWithin();
  }

  /** Whether an object begins here. */
  #outside(byte: number): boolean {
    if (BLANK.has(byte) || (byte === COMMA && this.#number > 0)) return false;
    if (this.#base === 1 && CLOSING.has(byte) && !this.#hasEnded) {
      this.#hasEnded = true;
      this.#depth = 0;
      return false;
    }
    if (!OPENING.has(byte) || this.#hasEnded) throw this.#wrong('is no object, nor a list of objects');
    this.#depth++;
    if (this.#base === undefined) {
      this.#base = byte === ARRAY ? 1 : 0;
      if (this.#base === 1) return false;
    }
    this.#begun = this.#line;
    return true;
  }

  #object(last: Uint8Array): ObjectText {
    const text = Buffer.concat([...this.#pieces, last]).toString('utf8');
    this.#pieces = [];
    return { text, line: this.#begun, number: ++this.#number };
  }

  end(): void {
    if (this.#isWithin()) throw this.#wrong('ends amid an object that is cut off', this.#begun);
    if (this.#base === 1 && !this.#hasEnded) throw this.#wrong('ends amid a list that is cut off');
  }

  #wrong(what: string, line = this.#line): PagefaultError {
    const where = `${basename(this.#file)}, line ${line}, after object ${this.#number}`;
    return new PagefaultError('E_TRACE', `${where}: the file ${what}`, {
      hint: 'see that the file is whole, and the source the right one',
    });
  }
}
