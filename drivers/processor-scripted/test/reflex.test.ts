import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Message, ProcessorDriver } from '@pagefault/contracts';
import { createReflexProcessor } from '../src/index.js';
import { CYCLE_CAP, fakeMemory, infer, TOOLS, turn } from './fake-memory.js';

let reflex: ProcessorDriver;

beforeEach(async () => {
  reflex = createReflexProcessor();
  await reflex.open();
});

const ADA = 'My name is Ada and I breed alpacas in Cork.';

describe('a statement about the user', () => {
  test('is saved to the human block and acknowledged with what was saved', async () => {
    const memory = fakeMemory();
    const { said } = await turn(memory, reflex, ADA);
    expect(memory.human).toBe('Name: Ada\nSaid: I breed alpacas in Cork');
    expect(said).toEqual(['Nice to meet you, Ada! I have noted: Name: Ada; "I breed alpacas in Cork".']);
  });

  test.each([
    ['I live in Cork.', 'Lives in: Cork'],
    ['I work as a vet.', 'Works as: a vet'],
    ["I've moved to Galway.", 'Lives in: Galway'],
    ['I really like green tea!', 'Likes: green tea'],
    ['Hi, call me Ada', 'Name: Ada'],
    ['My favourite colour is teal', 'Favourite colour: teal'],
    ['Actually, my cat\u2019s name is Tom.', "Cat's name: Tom"],
    ["I'm allergic to nuts.", "Said: I'm allergic to nuts"],
    ['Actually, my favourite colour is blue now.', 'Favourite colour: blue'],
    ['We moved to Cusco last week.', 'Lives in: Cusco'],
    ["I was wrong, my name is not Rosa, it's Rose.", 'Name: Rose'],
  ])('%s becomes one line', async (text, line) => {
    const memory = fakeMemory();
    await turn(memory, reflex, text);
    expect(memory.human).toBe(line);
  });

  test.each([{ frozenBlocks: false }, { frozenBlocks: true }])(
    'is not saved twice, also when blocks are rendered late (%o)',
    async (settings) => {
      const memory = fakeMemory(settings);
      await turn(memory, reflex, ADA);
      const { said } = await turn(memory, reflex, ADA);
      expect(memory.human.split('\n')).toHaveLength(2);
      expect(said[0]).toContain('noted that already');
    },
  );

  test.each([{ frozenBlocks: false }, { frozenBlocks: true }])(
    'may begin like the old value: an edit in the queue is not made a second time (%o)',
    async (settings) => {
      const memory = fakeMemory(settings);
      await turn(memory, reflex, 'My name is Rosa.');
      await turn(memory, reflex, 'My name is Rosa Smith.');
      const { said } = await turn(memory, reflex, 'What is my name?');
      expect(said[0]).toMatch(/^My notes about you say: Name: Rosa Smith\.$/m);
      expect(memory.human).toBe('Name: Rosa Smith');
    },
  );

  test.each([{ frozenBlocks: false }, { frozenBlocks: true }])(
    'may change again and again, and the last counts (%o)',
    async (settings) => {
      const memory = fakeMemory(settings);
      for (let n = 1; n <= 10; n += 1) await turn(memory, reflex, `I live in City${n}.`);
      const { said } = await turn(memory, reflex, 'Where do I live?');
      expect(said[0]).toMatch(/^My notes about you say: Lives in: City10\.$/m);
      expect(memory.human).toBe('Lives in: City10');
    },
  );

  test.each([{ frozenBlocks: false }, { frozenBlocks: true }])(
    'takes the place of the old value of the same attribute (%o)',
    async (settings) => {
      const memory = fakeMemory(settings);
      await turn(memory, reflex, 'I live in Cork. I like tea.');
      await turn(memory, reflex, 'I have moved to Galway.');
      await turn(memory, reflex, 'I live in $& now, and I like coffee.');
      expect(memory.human).toBe('Lives in: $&\nLikes: tea\nLikes: coffee');
    },
  );

  test('is appended when the line to be replaced was changed by somebody else', async () => {
    const memory = fakeMemory({
      answer: (call) =>
        call.name === 'core_memory_replace' ? { text: 'edited meanwhile', isError: true } : undefined,
    });
    memory.human = 'Lives in: Cork';
    await turn(memory, reflex, 'I live in Galway');
    expect(memory.human).toBe('Lives in: Cork\nLives in: Galway');
  });

  test('is answered honestly when the block is full', async () => {
    const memory = fakeMemory({ limit: 10 });
    const { said, cycles } = await turn(memory, reflex, ADA);
    expect(cycles).toBe(2);
    expect(said[0]).toContain('could not note');
    expect(said[0]).toContain('The block would be too long');
  });
});

describe('what passes', () => {
  test.each([
    "I'm fine, thanks.",
    'I think it will rain.',
    'I went to the market.',
    'I love that!',
    'My question is a long one.',
    'I have been busy.',
  ])('%s is not kept as a fact', async (text) => {
    const memory = fakeMemory();
    await turn(memory, reflex, text);
    expect(memory.human).toBe('');
  });
});

describe('a question', () => {
  test('is answered with the found text, its day and its handle, in two cycles', async () => {
    const memory = fakeMemory();
    await turn(memory, reflex, ADA);
    memory.human = '';
    memory.messages.splice(1);
    const { said, cycles } = await turn(memory, reflex, 'What do I breed, and where?');
    expect(cycles).toBe(2);
    expect(said).toEqual([`You told me on 29 November 2026: "${ADA}" (m1)`]);
  });

  test('is answered from the human block as well', async () => {
    const memory = fakeMemory();
    memory.human = 'Name: Ada\nLives in: Cork';
    const { said } = await turn(memory, reflex, 'Where do I live?');
    expect(said[0]).toContain('My notes about you say: Lives in: Cork.');
    expect(said[0]).not.toContain('Ada');
  });

  test('is answered from passages with their source', async () => {
    const memory = fakeMemory();
    memory.passages.push({ source: 'alpaca.pdf', text: 'Alpacas eat hay and grass.' });
    const { said } = await turn(memory, reflex, 'what do alpacas eat');
    expect(said).toEqual(['From alpaca.pdf: "Alpacas eat hay and grass." (p1)']);
  });

  test('gets at most three quotes', async () => {
    const memory = fakeMemory();
    for (let n = 0; n < 5; n += 1) memory.passages.push({ source: 's', text: `Alpaca fact ${n}.` });
    const { said } = await turn(memory, reflex, 'Tell me an alpaca fact');
    expect(said[0]?.match(/\(p\d\)/g)).toHaveLength(3);
  });

  test('that memory has nothing about is answered with what was searched', async () => {
    const { said } = await turn(fakeMemory(), reflex, 'What is the speed of light?');
    expect(said[0]).toBe(
      'My memory has nothing about that. I searched my notes about you, our conversation and archival storage for "What is the speed of light?"',
    );
  });

  test('is answered with what there is when a search fails', async () => {
    const memory = fakeMemory({
      answer: (call) =>
        call.name === 'conversation_search' ? { text: 'disk error', isError: true } : undefined,
    });
    memory.passages.push({ source: 'a.txt', text: 'Light is fast.' });
    const { said } = await turn(memory, reflex, 'How fast is light?');
    expect(said[0]).toContain('Light is fast.');
    expect(said[0]).toContain('conversation_search failed: disk error');
  });

  test('that is asked again after the turn was stopped is searched again', async () => {
    let isStopped = true;
    const memory = fakeMemory({
      answer: (call) =>
        isStopped && call.name !== 'send_message' ? { text: 'Stopped.', isError: true } : undefined,
    });
    memory.passages.push({ source: 'a.txt', text: 'Light is fast.' });
    await turn(memory, reflex, 'How fast is light?');
    memory.messages.splice(-2);
    isStopped = false;
    const { said } = await turn(memory, reflex, 'How fast is light?');
    expect(said[0]).toBe('From a.txt: "Light is fast." (p1)');
  });

  test('beside a statement gets both the note and the answer', async () => {
    const memory = fakeMemory();
    const { said } = await turn(memory, reflex, 'My name is Ada. What is my name?');
    expect(memory.human).toBe('Name: Ada');
    expect(said[0]).toContain('Nice to meet you, Ada!');
    expect(said[0]).toContain('My notes about you say: Name: Ada.');
  });
});

describe('other messages', () => {
  test('"remember that" takes each sentence for itself', async () => {
    const memory = fakeMemory();
    await turn(memory, reflex, 'Remember that my dog is Rex. My name is Zed.');
    expect(memory.human).toBe('Dog: Rex\nName: Zed');
  });

  test('"remember that" goes to archival storage', async () => {
    const memory = fakeMemory();
    const { said } = await turn(memory, reflex, 'Please remember that the gate code is 4711.');
    expect(memory.passages.map((passage) => passage.text)).toEqual(['the gate code is 4711.']);
    expect(said[0]).toContain('4711');
  });

  test('a greeting is answered with what reflex can do, in one cycle', async () => {
    const { said, cycles } = await turn(fakeMemory(), reflex, 'Hello!');
    expect(cycles).toBe(1);
    expect(said[0]).toMatch(/^Hello! Tell me/);
  });

  test('without send_message the answer is plain text', async () => {
    const { said } = await turn(fakeMemory({ tools: [] }), reflex, ADA);
    expect(said).toEqual(['Thank you. I keep it with our conversation.']);
  });

  test('a refused send_message is followed by plain text', async () => {
    const memory = fakeMemory({
      answer: (call) => (call.name === 'send_message' ? { text: 'too long', isError: true } : undefined),
    });
    const { said } = await turn(memory, reflex, 'Hello');
    expect(said[0]).toMatch(/^Hello!/);
  });

  test('a pressure notice is no task', async () => {
    const memory = fakeMemory();
    await turn(memory, reflex, 'Hello');
    const notice = { id: 'n', role: 'user', at: 0, notice: 'pressure' } as const;
    const parts = [{ type: 'text', text: 'Memory pressure. What is to be kept?' }] as const;
    const request = {
      tools: [],
      system: '',
      messages: [...memory.messages, { ...notice, parts }],
      maxOutput: 64,
    };
    expect((await infer(reflex, request)).parts).toEqual([{ type: 'text', text: 'I am here.' }]);
  });

  test("what the kernel says in the user's message is no part of the task", async () => {
    const asked = (...texts: readonly string[]) => ({
      tools: [],
      system: '',
      messages: [
        {
          id: 'u',
          role: 'user',
          at: 0,
          parts: texts.map((text) => ({ type: 'text', text }) as const),
        } as const,
      ],
      maxOutput: 64,
    });
    const words = ['[Memory pressure: 1 of 2. What is to be kept?]\n', '[Memory: 1 of 2]\n'];
    const plain = await infer(reflex, asked('[Is this] a greeting? Hello'));
    expect((await infer(reflex, asked(...words, '[Is this] a greeting? Hello'))).parts).toEqual(plain.parts);
  });

  test('what frames the queue is no event, and a timer that fires is', async () => {
    const message = (id: string, text: string) =>
      ({ id, role: 'system', at: 0, parts: [{ type: 'text', text }] }) as const;
    const frame = [message('summary', 'Ada said hello.'), message('tail', '[Memory: 1 of 2]')];
    const request = { tools: [], system: '', messages: frame, maxOutput: 64 };
    expect((await infer(reflex, request)).parts).toEqual([{ type: 'text', text: 'I am here.' }]);
    const woken = { ...request, messages: [frame[0]!, message('t1', 'Timer: feed the alpacas'), frame[1]!] };
    expect((await infer(reflex, woken)).parts).toEqual([
      { type: 'text', text: 'Something happened: Timer: feed the alpacas' },
    ]);
  });

  test('a request for a summary gets the first sentences of the text', async () => {
    const parts = [
      { type: 'text', text: 'Ada breeds alpacas. She likes it.\nThe code is 4711. More.' },
    ] as const;
    const messages = [{ id: 'a', role: 'user', parts, at: 0 }] as const;
    const reply = await infer(reflex, { tools: [], system: 'Summarise this.', messages, maxOutput: 500 });
    expect(reply.parts).toEqual([{ type: 'text', text: 'Ada breeds alpacas.\nThe code is 4711.' }]);
  });
});

describe('whatever is said', () => {
  const openers = [
    '',
    'My name is ',
    'What is ',
    'Remember that ',
    'the value of key ',
    'I like ',
    'my a is b and ',
  ];
  const anyText = fc
    .tuple(fc.constantFrom(...openers), fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.lorem()))
    .map(([opener, rest]) => opener + rest);
  const anyResult = fc.oneof(
    fc.record({ text: fc.string(), isError: fc.boolean() }),
    fc.record({ text: fc.json(), isError: fc.constant(false) }),
    fc.constant(undefined),
    fc.constant({ text: '{"results":[{"text":"key = a, value = b"}],"page":0,"pages":99}', isError: false }),
  );

  test('the turn ends within a bounded number of cycles and the user has an answer', async () => {
    const plan = fc.record({ texts: fc.array(anyText, { minLength: 1, maxLength: 4 }), evict: fc.boolean() });
    const tools = fc.subarray(TOOLS);
    await fc.assert(
      fc.asyncProperty(plan, tools, anyResult, async ({ texts, evict }, present, result) => {
        const memory = fakeMemory({
          evict,
          tools: present,
          answer: (call) => (call.name === 'send_message' ? undefined : result),
        });
        for (const text of texts) {
          const { said, cycles } = await turn(memory, reflex, text);
          expect(cycles).toBeLessThan(CYCLE_CAP);
          expect(said.join('')).not.toBe('');
          const called = memory.calls.map((call) => call.slice(0, call.indexOf(':')));
          expect(present).toEqual(expect.arrayContaining(called));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('no call is repeated within a turn', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyResult, async (text, result) => {
        const memory = fakeMemory({ answer: (call) => (call.name === 'send_message' ? undefined : result) });
        await turn(memory, reflex, text);
        expect(new Set(memory.calls).size).toBe(memory.calls.length);
      }),
      { numRuns: 200 },
    );
  });

  test('the same request gets the same reply, and call ids are unique over restarts', async () => {
    const memory = fakeMemory();
    for (const text of [ADA, ADA, 'Who am I?', 'Who am I?']) {
      const fresh = createReflexProcessor();
      await fresh.open();
      await turn(memory, fresh, text);
    }
    const ids = memory.messages.flatMap((m) => m.parts.flatMap((p) => (p.type === 'call' ? [p.callId] : [])));
    expect(new Set(ids).size).toBe(ids.length);
    const request = { tools: [], system: '', messages: memory.messages, maxOutput: 64 };
    expect(await infer(reflex, request)).toEqual(await infer(reflex, request));
  });
});

describe('under the dialect `native`', () => {
  test('reflex says plainly what it does by functions otherwise, and sends no flag', async () => {
    const memory = fakeMemory({ dialect: 'native' });
    const first = await turn(memory, reflex, ADA);
    expect(first.said).toEqual([
      'Nice to meet you, Ada! I have noted: Name: Ada; "I breed alpacas in Cork".',
    ]);
    const second = await turn(memory, reflex, 'What do I breed?');
    expect(second.said[0]).toContain('My notes about you say: I breed alpacas in Cork.');
    expect(memory.calls.length).toBeGreaterThan(2);
    expect(memory.calls.join()).not.toMatch(/request_heartbeat|send_message/);
  });

  test('reflex does not say its notes to itself', async () => {
    const memory = fakeMemory({ dialect: 'native' });
    const { said } = await turn(memory, reflex, 'Find the value of the key "abc", please.');
    expect(said).toEqual(['There is no key "abc" in memory.']);
  });
});

describe('a block whose edits reflex only reads about', () => {
  const block = (version: number, value: string) =>
    `<block name="human" version="${version}" limit="2000">\n${value}\n</block>`;
  const system = (id: string, text: string, notice?: 'block-edit'): Message => ({
    id,
    role: 'system',
    at: 0,
    parts: [{ type: 'text', text }],
    ...(notice && { notice }),
  });
  const asked: Message = {
    id: 'u',
    role: 'user',
    at: 0,
    parts: [{ type: 'text', text: 'Where do I live?' }],
  };
  const appended = (line: string, version: number): Message[] => {
    const input = JSON.stringify({ name: 'human', content: line });
    const call = {
      type: 'call',
      callId: `c${version}`,
      name: 'core_memory_append',
      arguments: input,
    } as const;
    const text = `OK. Block "human" holds 9 of 2,000 characters (version ${version}).`;
    return [
      { id: `a${version}`, role: 'assistant', at: 0, parts: [call] },
      {
        id: `r${version}`,
        role: 'tool',
        at: 0,
        parts: [{ type: 'result', callId: call.callId, name: call.name, text }],
      },
    ];
  };
  const answer = async (...messages: Message[]): Promise<string> => {
    const request = { tools: [], system: 'You are.', messages: [...messages, asked], maxOutput: 400 };
    return (await infer(reflex, request)).parts.map((part) => (part.type === 'text' ? part.text : '')).join();
  };

  test('is read from a message of its own', async () => {
    expect(await answer(system('blocks', block(1, 'Lives in: Cork')))).toContain('say: Lives in: Cork.');
  });

  test('is as the latest note says', async () => {
    const note =
      '[Block "human" was changed by "user" and is at version 2. Lines taken out (-) and put in (+):\n- Lives in: Cork\n+ Lives in: Galway]';
    const whole = `[Block "human" was changed by "user". It reads now:\n${block(3, 'Lives in: Dublin')}]`;
    const shown = system('blocks', block(1, 'Lives in: Cork'));
    expect(await answer(shown, system('n1', note, 'block-edit'))).toContain('say: Lives in: Galway.');
    expect(
      await answer(shown, system('n1', note, 'block-edit'), system('n2', whole, 'block-edit')),
    ).toContain('say: Lives in: Dublin.');
    const other = note.replace('"human"', '"persona"');
    expect(await answer(shown, system('n1', other, 'block-edit'))).toContain('say: Lives in: Cork.');
  });

  test('is not given back what was taken out before it was rendered', async () => {
    const shown = system('blocks', block(3, 'Lives in: Galway'));
    expect(await answer(shown, ...appended('Lives in: Cork', 2))).toContain('say: Lives in: Galway.');
    expect(await answer(shown, ...appended('Lives in: a house', 4))).toContain(
      'say: Lives in: Galway; Lives in: a house.',
    );
  });
});
