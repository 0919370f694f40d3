/**
 * Standard input, which is opened when it is first read. Node.js treats a directory as empty input, and a batch without
 * answers that ends successfully would hide the mistake.
 */
import { fstatSync } from 'node:fs';
import { stdin } from 'node:process';
import { InputError } from './streams.ts';

export async function* standardInput(): AsyncGenerator<Uint8Array | string> {
  try {
    if (!fstatSync(0).isDirectory()) return yield* stdin;
  } catch (err) {
    throw new InputError(`cannot read standard input: ${messageOf(err)}`, { cause: err });
  }
  throw new InputError(
    'standard input is a directory: expected a file or a pipe with one JSON object per line',
  );
}

function messageOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}
