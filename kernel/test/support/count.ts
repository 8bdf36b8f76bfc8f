/** A counter that anyone can check by hand: a token for four code points, and four for the frame of each piece. */
import type { CountablePiece, Message, Part, Tokens } from '@pagefault/contracts';

export function countPiece(piece: CountablePiece): Tokens {
  return Math.ceil([...textOfPiece(piece)].length / 4) + 4;
}

function textOfPiece(piece: CountablePiece): string {
  if (piece.kind === 'system') return piece.text;
  if (piece.kind === 'tools') return piece.tools.length === 0 ? '' : JSON.stringify(piece.tools);
  return messageContent(piece.message);
}

/** Everything of a message that would go over the wire. */
export function messageContent(message: Message): string {
  return message.parts.map(partContent).join('');
}

function partContent(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'thinking':
    case 'result':
      return part.text;
    case 'call':
      return part.name + part.arguments;
    case 'image':
      return 'i'.repeat(400);
  }
}
