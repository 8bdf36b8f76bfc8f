import { type RunningMachine, start, type StartOptions } from '@pagefault/wiring';

type Settings = NonNullable<StartOptions['overrides']>;

/** The embedded store without vectors, which would cost a second at each start. */
export function startEmbedded(data: string, settings: Settings = {}): Promise<RunningMachine> {
  const overrides = { data, archival: 'none', embedder: 'none', processor: 'reflex', ...settings };
  return start({ cwd: data, env: {}, overrides });
}

/** Runs `work` on a machine, and closes it whatever becomes of it. */
export async function withMachine<T>(
  starting: Promise<RunningMachine>,
  work: (machine: RunningMachine) => Promise<T>,
): Promise<T> {
  await using machine = await starting;
  return await work(machine); // Without `await` it would be closed first.
}
