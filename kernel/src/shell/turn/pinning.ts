import { PagefaultError } from '@pagefault/contracts';
import type { Clock } from '../../clock.js';
import type { PinChange } from '../../core/events.js';
import { applyPin } from '../../core/pins.js';
import type { Runner } from '../runner.js';

/**
 * Decides in its place in line, by the same function as the core: what is refused becomes an error, and no event.
 * Errors: `E_NOT_FOUND`, `E_PIN_LIMIT`, `E_INVALID`.
 */
export async function changePin(runner: Runner, change: PinChange, clock: Clock): Promise<void> {
  await runner.run(() => {
    const result = applyPin(runner.state, runner.config, runner.budget, change);
    if (!result.ok) throw new PagefaultError(result.code, result.text);
    return { type: 'pin', at: clock.now(), change };
  });
}
