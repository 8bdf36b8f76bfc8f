/** Recordings as doubles: all that is recorded goes into one sink. */
import type { RecordingLine, RecordingSink, RecordingStore } from '../../src/index.js';

export function recordedIn(sink: RecordingSink): RecordingStore {
  return { place: 'here', open: () => sink, erase: async () => [] };
}

/** A recording as lines. */
export function lineSink(): RecordingSink & { readonly lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    write: (line: RecordingLine) => void lines.push(JSON.stringify(line)),
    close: async () => undefined,
  };
}
