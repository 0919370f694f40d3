/** Runs the program on strings instead of streams. */
import type { OpenPorts } from './live/ports.ts';
import { runProgram } from './program.ts';

/** For commands that read no cluster. */
export const noPorts: OpenPorts = () => Promise.reject(new Error('this command reads no cluster'));

export interface Ran {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

export async function runInMemory(
  args: readonly string[],
  {
    input = [],
    hasColour = false,
    openPorts = noPorts,
  }: { input?: readonly (string | Uint8Array)[]; hasColour?: boolean; openPorts?: OpenPorts } = {},
): Promise<Ran> {
  const output: string[] = [];
  const errors: string[] = [];
  const sink = (texts: string[]) => ({
    // The buffer of the bytes may be reused, so they are decoded at once.
    write: (chunk: string | Uint8Array) =>
      texts.push(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)) > 0,
    once: () => undefined,
  });
  const exitCode = await runProgram(
    args,
    {
      input: streamOf(input),
      output: sink(output),
      errors: sink(errors),
      hasColour,
    },
    openPorts,
  );
  return { exitCode, output: output.join(''), errors: errors.join('') };
}

async function* streamOf(
  chunks: readonly (string | Uint8Array)[],
): AsyncGenerator<string | Uint8Array> {
  yield* chunks;
}
