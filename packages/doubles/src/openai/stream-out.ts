import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from './reply.js';

/**
 * Sends server-sent events with the fault asked for. Resolves when nothing more will be sent, which for
 * a silence is when the client has gone or `closing` fires.
 */
export async function sendEvents(
  response: ServerResponse,
  events: readonly string[],
  fault: Fault | undefined,
  closing: AbortSignal,
): Promise<void> {
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
  response.writeHead(200, headers);
  response.flushHeaders();
  for (const data of eventsBefore(fault, events)) {
    if (fault?.kind === 'slow')
      await wait(fault.every, undefined, { signal: closing }).catch(() => undefined);
    if (!(await write(response, `data: ${data}\n\n`, fault))) return;
  }
  await finish(response, fault);
}

function eventsBefore(fault: Fault | undefined, events: readonly string[]): readonly string[] {
  return fault !== undefined && 'after' in fault ? events.slice(0, fault.after) : events;
}

async function finish(response: ServerResponse, fault: Fault | undefined): Promise<void> {
  switch (fault?.kind) {
    case 'destroy':
      response.destroy();
      return;
    case 'silence':
      await gone(response);
      return;
    case 'error-event': {
      const error = fault.error ?? {
        message: 'The server is overloaded',
        type: 'server_error',
        code: 'overloaded',
      };
      await write(response, `data: ${JSON.stringify({ error })}\n\n`, fault);
      response.end();
      return;
    }
    default:
      response.end();
  }
}

/** Resolves when the client or the double has closed the connection. */
export function gone(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => response.once('close', () => resolve()));
}

async function write(response: ServerResponse, text: string, fault: Fault | undefined): Promise<boolean> {
  const bytes = Buffer.from(text);
  const step = fault?.kind === 'split' ? fault.bytes : bytes.length;
  for (let at = 0; at < bytes.length; at += step) {
    if (!(await writeOne(response, bytes.subarray(at, at + step)))) return false;
  }
  return true;
}

// Each write is awaited and followed by a turn of the loop, so that it travels as a packet of its own.
function writeOne(response: ServerResponse, bytes: Uint8Array): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    response.write(bytes, (error) => setImmediate(() => resolve(error === undefined || error === null)));
  });
}
