import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDocument } from '../src/index.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagefault-document-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** A PDF of one page a text, with a right table of offsets. */
function pdf(pages: readonly string[], trailer = ''): string {
  const kids = pages.map((_, index) => `${3 + index * 2} 0 R`).join(' ');
  const bodies = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    ...pages.flatMap((text, index) => pageObjects(text, 4 + index * 2)),
    '<< /Title (On Alpacas) >>',
  ];
  let out = '%PDF-1.4\n';
  const offsets = bodies.map((body, index) => {
    const offset = out.length;
    out += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const end = `trailer\n<< /Size ${bodies.length + 1} /Root 1 0 R /Info ${bodies.length} 0 R ${trailer} >>\n`;
  return `${out}${table}${end}startxref\n${out.length}\n%%EOF\n`;
}

function pageObjects(text: string, contents: number): string[] {
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  const stream = `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`;
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${contents} 0 R /Resources << /Font << /F1 ${font} >> >> >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  ];
}

// A password that nobody knows: the check value fits none.
const LOCKED = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> >> /ID [<00> <00>]`;

describe('reading a document', () => {
  it('takes the title of Markdown from its heading, and of text from its name', async () => {
    expect(await readDocument(file('a.md', 'x\n# Alpacas \r\ny'))).toEqual({
      title: 'Alpacas',
      text: 'x\n# Alpacas \ny',
    });
    expect(await readDocument(file('notes.txt', '# not a title'))).toMatchObject({ title: 'notes' });
  });

  it('reads UTF-8 with a byte order mark, and UTF-16', async () => {
    expect(await readDocument(file('bom.txt', '\uFEFFhé'))).toMatchObject({ text: 'hé' });
    expect(await readDocument(file('wide.txt', Buffer.from('\uFEFFhé', 'utf16le')))).toMatchObject({
      text: 'hé',
    });
  });

  it('reads the pages and the title of a PDF, whatever its name', async () => {
    const text = 'Alpacas hum.\n\nThey spit.';
    const pages = ['Alpacas hum.', 'They spit.'];
    expect(await readDocument(file('b.txt', pdf(pages)))).toEqual({ title: 'On Alpacas', text });
  });

  it.each([
    ['a PDF that is locked', 'c.pdf', pdf(['x'], LOCKED), /c\.pdf is encrypted and needs a password/],
    ['a PDF that is broken', 'd.pdf', '%PDF-1.4\n rubbish', /d\.pdf is not a PDF that can be read: /],
    ['a PDF of pictures', 'e.pdf', pdf(['']), /e\.pdf holds no text/],
    ['a picture', 'f.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0), /f\.png is not text/],
    ['text of another encoding', 'g.txt', Buffer.from('hé', 'latin1'), /g\.txt is not text/],
    ['an empty file', 'h.txt', ' \n', /h\.txt holds no text/],
  ])('says what is wrong with %s', async (_title, name, content, message) => {
    const reading = readDocument(file(name, content));
    await expect(reading).rejects.toMatchObject({
      code: 'E_INVALID',
      message: expect.stringMatching(message) as string,
    });
  });

  it('says when there is no file, or a folder', async () => {
    await expect(readDocument(join(folder, 'none.txt'))).rejects.toThrow('there is no such file');
    await expect(readDocument(folder)).rejects.toThrow('it is a folder');
  });
});
