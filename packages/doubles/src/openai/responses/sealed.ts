import { createHash } from 'node:crypto';

/** Reasoning as the service gives it out: nobody else can read or make it, and it is of one model. */
export function seal(model: string, text: string): string {
  const body = Buffer.from(JSON.stringify({ model, text })).toString('base64url');
  return `${body}.${signature(body)}`;
}

/** What was sealed; undefined when it was not by this service, or not for this model. */
export function unseal(model: string, sealed: string): string | undefined {
  const [body = '', signed = ''] = sealed.split('.');
  if (signature(body) !== signed) return undefined;
  const { model: maker, text } = JSON.parse(Buffer.from(body, 'base64url').toString()) as {
    model: string;
    text: string;
  };
  return maker === model ? text : undefined;
}

function signature(body: string): string {
  return createHash('sha256').update(`the double's key ${body}`).digest('base64url').slice(0, 22);
}
