/**
 * What makes a process run: a user, another process, a device (a tool or a document that finished), a timer, the system.
 * Of several that wait, those named earlier go first.
 */
export const INTERRUPT_KINDS = ['user', 'ipc', 'device', 'timer', 'system'] as const;
export type InterruptKind = (typeof INTERRUPT_KINDS)[number];
