/** The example without keys: local servers with both wire formats, and a "model" that notes facts and reads its memory. */
import { startAnthropicDouble, startOpenAIDouble } from '@pagefault/doubles';

const openai = await startOpenAIDouble({ reply: (asked) => onOpenAI(asked) });
const anthropic = await startAnthropicDouble({ reply: (asked) => onAnthropic(asked) });
Object.assign(process.env, {
  OPENAI_API_KEY: 'local',
  OPENAI_BASE_URL: openai.baseURL,
  ANTHROPIC_API_KEY: 'local',
  ANTHROPIC_BASE_URL: anthropic.baseURL,
});
await import('../src/index.js');
await openai.close();
await anthropic.close();

function onOpenAI(asked: object) {
  return { calls: callsFor(asked).map(({ name, args }) => ({ name, arguments: JSON.stringify(args) })) };
}

function onAnthropic(asked: object) {
  return { calls: callsFor(asked).map(({ name, args }) => ({ name, input: JSON.stringify(args) })) };
}

/** Asked something, it looks into all that it was sent; told something, it keeps it in a block. */
function callsFor(asked: object): readonly { readonly name: string; readonly args: object }[] {
  const sent = JSON.stringify(asked);
  if (!sent.includes('What do I breed')) {
    const note = { name: 'human', content: 'Ada breeds alpacas in Cork.', request_heartbeat: false };
    return [
      { name: 'core_memory_append', args: note },
      { name: 'send_message', args: { message: 'Noted, Ada.' } },
    ];
  }
  const message = sent.includes('Ada breeds alpacas in Cork') ? 'Alpacas, in Cork.' : 'I do not know.';
  return [{ name: 'send_message', args: { message } }];
}
