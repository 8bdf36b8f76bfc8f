import { inspect } from 'node:util';
import type { ErrorCode, PagefaultError, ProcessorEvent } from '@pagefault/contracts';
import { codeOf, holds, same } from '../check.js';
import type { ProcessorCase, ProcessorInstance, ServerFault, ServerReply } from './instance.js';
import { collect, hello, replyOf } from './samples.js';

/** Tries that the driver of an instance makes. */
const TRIES = 4;

interface Failed {
  readonly code: string;
  readonly retryable: unknown;
  readonly shown: readonly ProcessorEvent[];
  readonly error: unknown;
}

async function failed({ driver }: Pick<ProcessorInstance, 'driver'>): Promise<Failed> {
  const shown: ProcessorEvent[] = [];
  try {
    // What it used is no part of an answer.
    for await (const event of driver.infer(hello)) if (event.type !== 'usage') shown.push(event);
    return { code: 'no error', retryable: undefined, shown, error: undefined };
  } catch (error) {
    return { code: codeOf(error), retryable: (error as PagefaultError).retryable, shown, error };
  }
}

const FINAL: readonly (readonly [ServerFault, ErrorCode])[] = [
  [{ kind: 'too-long' }, 'E_CONTEXT_OVERFLOW'],
  [{ kind: 'status', status: 400 }, 'E_REQUEST'],
  [{ kind: 'status', status: 404 }, 'E_REQUEST'],
  [{ kind: 'status', status: 401 }, 'E_AUTH'],
  [{ kind: 'status', status: 403 }, 'E_AUTH'],
];

const PASSING: readonly (readonly [ServerFault, ErrorCode])[] = [
  [{ kind: 'status', status: 408 }, 'E_TIMEOUT'],
  [{ kind: 'status', status: 429 }, 'E_RATE_LIMITED'],
  [{ kind: 'status', status: 500 }, 'E_OVERLOADED'],
  [{ kind: 'status', status: 503 }, 'E_OVERLOADED'],
  [{ kind: 'status', status: 529 }, 'E_OVERLOADED'],
  [{ kind: 'overloaded', shown: false }, 'E_OVERLOADED'],
  [{ kind: 'destroyed', shown: false }, 'E_OVERLOADED'],
  [{ kind: 'cut', shown: false }, 'E_PROTOCOL'],
];

const AFTER_TEXT: readonly (readonly [ServerReply, ErrorCode])[] = [
  [{ fault: { kind: 'overloaded', shown: true } }, 'E_OVERLOADED'],
  [{ fault: { kind: 'destroyed', shown: true } }, 'E_OVERLOADED'],
  [{ fault: { kind: 'cut', shown: true } }, 'E_PROTOCOL'],
  [{ end: 'never' }, 'E_PROTOCOL'],
];

const ok: ServerReply = { text: 'ok' };

export const failures: readonly ProcessorCase[] = [
  {
    name: 'failure: what would come again has its code and is not tried again (C18)',
    async run(instance) {
      for (const [fault, code] of FINAL) {
        instance.script({ fault }, ok);
        const { code: actual, retryable } = await failed(instance);
        same([fault, actual, retryable, instance.requests()], [fault, code, false, 1]);
      }
    },
  },
  {
    name: 'failure: what may pass is tried again while nothing was shown (C13)',
    async run({ driver, script, requests }) {
      for (const [fault] of PASSING) {
        script({ text: 'x', fault }, { text: 'x', fault }, ok);
        same([fault, (await replyOf(driver.infer(hello))).parts], [fault, [{ type: 'text', text: 'ok' }]]);
        same(requests(), 3);
      }
    },
  },
  {
    name: 'failure: what does not pass has its code after as many tries as there are, and no more (C16)',
    async run(instance) {
      for (const [fault, code] of PASSING) {
        instance.script(...Array.from({ length: 2 * TRIES }, () => ({ text: 'x', fault })));
        const { code: actual, retryable } = await failed(instance);
        same([fault, actual, retryable, instance.requests()], [fault, code, true, TRIES]);
      }
    },
  },
  {
    name: 'failure: after some text it is thrown, and the half answer is never a reply (C14)',
    async run(instance) {
      for (const [reply, code] of AFTER_TEXT) {
        instance.script({ text: 'one two three', ...reply }, ok);
        const { code: actual, shown } = await failed(instance);
        same([reply, actual, instance.requests()], [reply, code, 1]);
        same([shown.length > 0, shown.every(({ type }) => type === 'text')], [true, true]);
      }
    },
  },
  {
    name: 'failure: the wait is as long as the server asks, in each form, and not for ever (C17)',
    async run({ driver, script, waits }) {
      const limited = (headers: Record<string, string>): ServerReply => ({
        fault: { kind: 'status', status: 429, headers },
      });
      const asked = async (...headers: Record<string, string>[]) => {
        script(...headers.map(limited), ok);
        await collect(driver.infer(hello));
        return waits();
      };
      same(await asked({ 'retry-after': '3' }, { 'retry-after-ms': '70' }), [3_000, 70]);
      const [date, absurd, none] = await asked(
        { 'retry-after': new Date(9_000).toUTCString() },
        { 'retry-after': '1000000000' },
        {},
      );
      same(date, 9_000);
      holds((absurd ?? Infinity) <= 60_000, `waited ${absurd} ms for a server that asked for years`);
      holds((none ?? 0) > 0, 'waits also when the server asks for nothing');
    },
  },
  {
    name: 'failure: what comes and is no JSON breaks the protocol',
    async run(instance) {
      instance.script({ text: 'one two three', fault: { kind: 'garbage', shown: true } }, ok);
      const { code, shown } = await failed(instance);
      same([code, shown.every(({ type }) => type === 'text')], ['E_PROTOCOL', true]);
    },
  },
  {
    name: 'failure: no error shows the key, not even printed whole (E12)',
    async run(instance) {
      for (const status of [400, 401, 429]) {
        instance.script(
          ...Array.from({ length: TRIES }, () => ({ fault: { kind: 'status' as const, status } })),
        );
        const shown = inspect((await failed(instance)).error, { depth: 10, showHidden: true });
        holds(!shown.includes(instance.secret), `an error of status ${status} shows the key`);
      }
    },
  },
  {
    name: 'failure: silence ends after the idle time, whenever it begins (C16)',
    async run({ impatient, script }) {
      const driver = impatient();
      await driver.open();
      try {
        for (const fault of [
          { kind: 'no-answer' },
          { kind: 'silent', shown: false },
          { kind: 'silent', shown: true },
        ] as const) {
          script({ text: 'one two three', fault });
          same([fault, (await failed({ driver })).code], [fault, 'E_TIMEOUT']);
        }
      } finally {
        await driver.close();
      }
    },
  },
];
