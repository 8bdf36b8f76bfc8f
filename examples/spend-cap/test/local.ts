/** The example without a key: a local server that speaks as OpenAI does, and reports what was used. */
import { startOpenAIDouble } from '@pagefault/doubles';

const said = { name: 'send_message', arguments: JSON.stringify({ message: 'Noted.' }) };
const provider = await startOpenAIDouble({ reply: () => ({ calls: [said] }) });
Object.assign(process.env, { OPENAI_API_KEY: 'local', OPENAI_BASE_URL: provider.baseURL });
await import('../src/index.js');
await provider.close();
