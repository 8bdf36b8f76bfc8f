import type { ImagePart } from '@pagefault/contracts';

/** The image as an address that holds its data; undefined when type or data is none. */
export function imageAddress({ mediaType, data }: ImagePart): string | undefined {
  const isLegal = /^image\/[a-z+.-]+$/.test(mediaType) && /^[\w+/]+=*$/.test(data);
  return isLegal ? `data:${mediaType};base64,${data}` : undefined;
}
