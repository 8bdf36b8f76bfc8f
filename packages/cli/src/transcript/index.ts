export * from '@pagefault/transcripts';
