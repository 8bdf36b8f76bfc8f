/** The providers that a life is swapped between: real drivers on doubles in process, which check every request. */
import type { InferRequest, ProcessorDriver } from '@pagefault/contracts';
import {
  anthropicInProcess,
  type DoubleReply,
  type Fault,
  type HeardRequest,
  type MessagesReply,
  type ModelRules,
  openAIInProcess,
} from '@pagefault/doubles';
import {
  type AnthropicProcessorOptions,
  createAnthropicProcessor,
} from '@pagefault/driver-processor-anthropic';
import { createOpenAIProcessor } from '@pagefault/driver-processor-openai';

/** What a model says, in no provider's words. */
export interface Said {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: string; readonly id?: string }[];
  readonly end?: 'stop' | 'length' | 'refused' | 'never';
  readonly fault?: Fault;
}

/** What it says to the n-th request that is accepted. */
export type Model = () => Said;

export interface OnProvider {
  readonly processor: ProcessorDriver;
  readonly heard: HeardRequest[];
}

const TIMING = { now: () => 0, random: () => 0, sleep: () => Promise.resolve() };

/** Thirty-seven characters, counted so that a life can be lived again. */
function counter(mark: string): () => string {
  let minted = 0;
  return () => `call_${mark}_${(minted += 1)}`;
}

function onOpenAI({ end, ...said }: Said): DoubleReply {
  const finish = { stop: undefined, length: 'length', refused: 'content_filter', never: null } as const;
  const as = finish[end ?? 'stop'];
  return { ...said, ...(as === undefined ? {} : { finish: as }) };
}

function onAnthropic({ end, thinking, calls = [], ...said }: Said, thinks: boolean): MessagesReply {
  const stop = { stop: undefined, length: 'max_tokens', refused: 'refusal', never: null } as const;
  const as = stop[end ?? 'stop'];
  return {
    ...said,
    ...(thinks ? { thinking: thinking ?? 'so it thinks', redacted: 'hidden' } : {}),
    calls: calls.map(({ arguments: input, ...call }) => ({ ...call, input })),
    ...(as === undefined ? {} : { stop: as }),
  };
}

function openAI(api: 'chat' | 'responses', model: string, window: number) {
  return (says: Model, mark: string): OnProvider => {
    const answer = () => onOpenAI(says());
    const { client, requests } = openAIInProcess({ reply: answer, respond: answer });
    const mintId = counter(mark);
    const options = { model, api, client, window, maxOutput: 300, images: true, timing: TIMING, mintId };
    return { processor: createOpenAIProcessor({ ...options, reasoning: true }), heard: requests };
  };
}

function anthropic(rules: Partial<ModelRules>, given: Partial<AnthropicProcessorOptions>) {
  return (says: Model, mark: string): OnProvider => {
    const { client, requests } = anthropicInProcess({
      rules,
      reply: ({ thinking }) => {
        const thinks =
          rules.alwaysThinks === true || (thinking !== undefined && thinking.type !== 'disabled');
        return onAnthropic(says(), thinks);
      },
    });
    const options = { model: 'claude-haiku-4-5', client, window: 7_000, maxOutput: 300, timing: TIMING };
    return {
      processor: createAnthropicProcessor({ ...options, mintId: counter(mark), ...given }),
      heard: requests,
    };
  };
}

/** Both APIs of OpenAI, two models on one of them, and every way of Anthropic's to think. */
export const PROVIDERS = {
  chat: openAI('chat', 'gpt-4o', 4_000),
  responses: openAI('responses', 'o3', 4_000),
  'responses of another model': openAI('responses', 'o4-mini', 4_000),
  anthropic: anthropic({ prefill: false }, {}),
  thinker: anthropic(
    { thinking: 'budget', prefill: false },
    { window: 9_000, maxOutput: 2_100, thinking: 1_024 },
  ),
  binder: anthropic(
    { alwaysThinks: true, bindsThinking: true, thinking: 'adaptive', prefill: false },
    { model: 'claude-opus-5-5', window: 9_000 },
  ),
} as const;

export type ProviderName = keyof typeof PROVIDERS;
export const PROVIDER_NAMES = Object.keys(PROVIDERS) as ProviderName[];

/** What a request becomes on the wire of a provider, and what its service says against it. */
export interface Wires {
  body(provider: ProviderName, request: InferRequest): Promise<HeardRequest>;
  close(): Promise<void>;
}

/** Refused for good, so that nothing is tried again and nothing is streamed. */
const ENOUGH: Fault = { kind: 'status', status: 400 };

export async function openWires(): Promise<Wires> {
  const opened = new Map<ProviderName, OnProvider>();
  for (const name of PROVIDER_NAMES) {
    const wire = PROVIDERS[name](() => ({ fault: ENOUGH }), name);
    await wire.processor.open();
    opened.set(name, wire);
  }
  return {
    async body(provider, request) {
      const { processor, heard } = opened.get(provider) ?? missing(provider);
      await read(processor.infer(request));
      return heard.splice(0).at(-1) ?? missing(provider);
    },
    async close() {
      for (const { processor } of opened.values()) await processor.close();
    },
  };
}

function missing(provider: ProviderName): never {
  throw new Error(`nothing was sent to ${provider}`);
}

/** Every request is refused; what the service really says against it is in what was heard. */
async function read(stream: AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const _ of stream) continue;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'E_REQUEST')) throw error;
  }
}
