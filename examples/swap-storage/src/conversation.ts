import type { Kernel, Process } from '@pagefault/kernel';

const SAID = [
  'My name is Ada and I breed alpacas in Cork.',
  'Remember that the vet is Dr Byrne, 021 555 0147.',
  'My favourite colour is green.',
  'My favourite colour is blue now.',
];

/** Enough to push what was said before out of main context. */
const DIARY = Array.from({ length: 60 }, (_, day) => ({
  id: `day ${day}`,
  text: `Day ${day}: ${day === 17 ? 'the shearer came and took eleven fleeces' : 'rain again, the barn roof leaks where the ladder stands, and the herd stays inside'}.`,
}));

export const QUESTIONS = [
  'What do I breed, and where?',
  'Who is the vet?',
  'How many fleeces did the shearer take?',
  'What is my favourite colour?',
];

export async function tell(kernel: Kernel): Promise<Process> {
  const agent = await kernel.spawn({ name: 'ada' });
  for (const text of SAID) await agent.send(text);
  await agent.append(DIARY);
  await kernel.settle();
  return agent;
}

/** What it answers, and what it holds, by titles. */
export async function ask(agent: Process): Promise<Record<string, string>> {
  const told: Record<string, string> = {};
  for (const question of QUESTIONS) told[question] = (await agent.send(question)).text;
  const { messages, passages, blocks, counters } = await agent.map();
  told['messages, passages, flushes'] = [messages, passages, counters.flushes].join(', ');
  told['what the agent wrote down'] = blocks.find(({ name }) => name === 'human')?.value ?? '';
  return told;
}
