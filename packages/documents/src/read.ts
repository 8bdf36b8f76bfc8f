import { readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import { readPdf } from './pdf.js';

export interface TextDocument {
  /** The document's own title, else the file's name without its ending. */
  readonly title: string;
  /** Line ends are LF. Never only white space. */
  readonly text: string;
}

/** Bytes. A document is held in memory as a whole; the King James Bible as text has 4.5 MB. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads text, Markdown and PDF. What a file is, its first bytes say; the name decides only between text and Markdown.
 * Text is UTF-8, or UTF-16 with a byte order mark.
 * Errors: `E_INVALID` when there is no such file, it is larger than 64 MiB, holds binary data or no text, or is a PDF
 * that is encrypted or broken.
 */
export async function readDocument(file: string): Promise<TextDocument> {
  const bytes = await readBytes(file);
  const isPdfFile = isPdf(bytes);
  const { title, text } = isPdfFile ? await readPdf(file, bytes) : readPlain(file, bytes);
  if (text.trim() === '') throw noText(file, isPdfFile);
  return { title: title ?? basename(file, extname(file)), text };
}

async function readBytes(file: string): Promise<Uint8Array> {
  const { size } = await attempt(file, stat(file));
  if (size > MAX_BYTES) {
    throw new PagefaultError('E_INVALID', `${file} has ${size} bytes; the limit is ${MAX_BYTES}`, {
      hint: 'split it into smaller files',
    });
  }
  // A copy of its own: the PDF reader takes the memory over.
  return new Uint8Array(await attempt(file, readFile(file)));
}

async function attempt<T>(file: string, work: Promise<T>): Promise<T> {
  return await work.catch((cause: NodeJS.ErrnoException) => {
    const reasons: Record<string, string> = { ENOENT: 'there is no such file', EISDIR: 'it is a folder' };
    const why = reasons[cause.code ?? ''] ?? cause.message;
    throw new PagefaultError('E_INVALID', `cannot read ${file}: ${why}`, {
      cause,
      ...(cause.code === 'EISDIR' && { hint: `name the files in it, for example ${join(file, '*.md')}` }),
    });
  });
}

// The header may be preceded by other bytes, within the first kilobyte (PDF 1.7, annex H.3.4.1).
function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
}

function readPlain(file: string, bytes: Uint8Array): { title?: string; text: string } {
  const text = decode(file, bytes).replace(/\r\n?/g, '\n');
  const isMarkdown = /\.(md|markdown|mdx)$/i.test(file);
  const title = isMarkdown ? /^#[ \t]+(\S.*)$/m.exec(text)?.[1]?.trim() : undefined;
  return { text, ...(title === undefined ? {} : { title }) };
}

function decode(file: string, bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-8' && bytes.subarray(0, 8192).includes(0)) throw binary(file);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw binary(file, cause);
  }
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

function binary(file: string, cause?: unknown): PagefaultError {
  return new PagefaultError('E_INVALID', `${file} is not text: it holds binary data or another encoding`, {
    hint: 'text, Markdown and PDF can be read; save text as UTF-8',
    cause,
  });
}

function noText(file: string, isPdfFile: boolean): PagefaultError {
  return new PagefaultError('E_INVALID', `${file} holds no text`, {
    hint: isPdfFile ? 'pages that are pictures need text recognition first' : 'give a file that is not empty',
  });
}
