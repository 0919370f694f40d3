/**
 * Texts that fit what the API server takes. It counts bytes, so that a text in any language but English
 * is longer than it looks; what is cut is cut between characters and says so.
 */
export function boundedText(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  const room = new Uint8Array(bytesMax - Buffer.byteLength(cutMark));
  // It stops in front of a character that does not fit whole.
  const { read } = new TextEncoder().encodeInto(text, room);
  return text.slice(0, read) + cutMark;
}

const cutMark = '…';

/** Limits of events, in bytes: `k8s.io/kubernetes/pkg/apis/core/validation/events.go`. */
export const noteBytesMax = 1_024;
export const wordBytesMax = 128;
