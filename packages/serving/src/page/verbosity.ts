/**
 * `PUT /debug/flags/v` changes the log level while the program runs, with upstream's path and messages. It is the only page
 * that takes a body, a number of a few characters, and reads it only after the rights of the client were reviewed.
 */
import { type Reply, textReply } from '../http/reply.ts';

/** Enough for any number that the flag accepts, with blanks around it. */
const bodyBytesMax = 64;
const verbosityMax = 2 ** 31 - 1;

export async function verbosityReply(
  /** Reads the body; undefined if it is longer than `bytesMax`. */
  readText: (bytesMax: number) => Promise<string | undefined>,
  set: (verbosity: number) => void,
): Promise<Reply> {
  const text = (await readText(bodyBytesMax))?.trim();
  const verbosity = text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(verbosity <= verbosityMax)) {
    return textReply(400, `failed set klog.logging.verbosity: ${problem}`);
  }
  set(verbosity);
  return textReply(200, `successfully set klog.logging.verbosity to ${verbosity}`);
}

const problem = 'the body must be a whole number of 0 or more, such as 4\n';
