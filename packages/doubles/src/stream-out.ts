import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from './fault.js';

/** What a service streams, frame by frame: each with its empty line. */
export interface StreamedAnswer {
  readonly frames: readonly string[];
  /** An error inside a stream of status 200, `error` when it is given. */
  errorFrame(error: object | undefined): string;
  /** An event whose data is no JSON. */
  readonly garbageFrame: string;
}

/**
 * Sends server-sent events with the fault asked for. Resolves when nothing more will be sent, which for
 * a silence is when the client has gone or `closing` fires.
 */
export async function sendEvents(
  response: ServerResponse,
  answer: StreamedAnswer,
  fault: Fault | undefined,
  closing: AbortSignal,
): Promise<void> {
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
  response.writeHead(200, headers);
  response.flushHeaders();
  for (const frame of framesBefore(fault, answer.frames)) {
    if (fault?.kind === 'slow')
      await wait(fault.every, undefined, { signal: closing }).catch(() => undefined);
    if (!(await write(response, frame, fault))) return;
  }
  await finish(response, answer, fault);
}

function framesBefore(fault: Fault | undefined, frames: readonly string[]): readonly string[] {
  return fault !== undefined && 'after' in fault ? frames.slice(0, fault.after) : frames;
}

async function finish(
  response: ServerResponse,
  answer: StreamedAnswer,
  fault: Fault | undefined,
): Promise<void> {
  switch (fault?.kind) {
    case 'destroy':
      response.destroy();
      return;
    case 'silence':
      await gone(response);
      return;
    case 'garbage':
      await write(response, answer.garbageFrame, fault);
      response.end();
      return;
    case 'error-event':
      await write(response, answer.errorFrame(fault.error), fault);
      response.end();
      return;
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
