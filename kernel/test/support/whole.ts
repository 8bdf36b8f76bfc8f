import type { InferRequest } from '@pagefault/contracts';

/** The neutral form's own rules, so that a forgiving driver hides nothing. */
export function problemsOf({ messages }: InferRequest): string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  const answered = new Set<string>();
  let open: string[] = [];
  for (const { id, role, parts } of messages) {
    if (ids.has(id)) problems.push(`message id ${id} twice`);
    ids.add(id);
    if (parts.length === 0) problems.push(`${id} is empty`);
    for (const part of parts)
      if (part.type === 'text' && part.text.trim() === '') problems.push(`${id} has empty text`);
    if (role === 'tool') {
      for (const part of parts) {
        if (part.type !== 'result') problems.push(`${id} is a tool message with ${part.type}`);
        else if (!open.includes(part.callId)) problems.push(`${part.callId} answers nothing`);
        else if (part.text === '') problems.push(`${part.callId} has an empty result`);
        open = open.filter((callId) => part.type !== 'result' || callId !== part.callId);
      }
      continue;
    }
    if (open.length > 0) problems.push(`calls ${open.join()} have no result`);
    open = parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []));
    for (const callId of open) {
      if (answered.has(callId)) problems.push(`call id ${callId} twice`);
      answered.add(callId);
    }
  }
  return open.length > 0 ? [...problems, `calls ${open.join()} have no result`] : problems;
}
