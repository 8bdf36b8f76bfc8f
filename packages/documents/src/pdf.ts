import { PagefaultError } from '@pagefault/contracts';

export interface PdfContent {
  /** From the document's properties; often missing. */
  readonly title?: string;
  /** The pages' text layers, with an empty line between pages. */
  readonly text: string;
}

/**
 * The text of a PDF. The reader is loaded when the first PDF is read: it is large.
 * Errors: `E_INVALID` when the file needs a password or is broken.
 */
export async function readPdf(file: string, bytes: Uint8Array): Promise<PdfContent> {
  const { extractText, getDocumentProxy, getMeta } = await import('unpdf');
  try {
    // Verbosity 0: its warnings about odd files would go to standard output.
    const pdf = await getDocumentProxy(bytes, { verbosity: 0 });
    try {
      const { text } = await extractText(pdf);
      const title = titleOf((await getMeta(pdf)).info);
      return { text: text.join('\n\n'), ...(title === undefined ? {} : { title }) };
    } finally {
      await pdf.destroy();
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

function titleOf(info: Readonly<Record<string, unknown>>): string | undefined {
  const title = info['Title'];
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : undefined;
}

function unreadable(file: string, cause: unknown): PagefaultError {
  const isLocked = cause instanceof Error && cause.name === 'PasswordException';
  const why = isLocked
    ? 'is encrypted and needs a password'
    : `is not a PDF that can be read: ${reason(cause)}`;
  return new PagefaultError('E_INVALID', `${file} ${why}`, {
    hint: isLocked ? 'save a copy without a password' : 'open it in a PDF viewer and save it again',
    cause,
  });
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
