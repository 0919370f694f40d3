/** Runs the program on strings instead of streams. */
import { runProgram } from './program.ts';

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
  }: { input?: readonly (string | Uint8Array)[]; hasColour?: boolean } = {},
): Promise<Ran> {
  const output: string[] = [];
  const errors: string[] = [];
  const sink = (texts: string[]) => ({
    // The room that bytes are in may be used again, so they are read at once.
    write: (chunk: string | Uint8Array) =>
      texts.push(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)) > 0,
    once: () => undefined,
  });
  const exitCode = await runProgram(args, {
    input: streamOf(input),
    output: sink(output),
    errors: sink(errors),
    hasColour,
  });
  return { exitCode, output: output.join(''), errors: errors.join('') };
}

async function* streamOf(
  chunks: readonly (string | Uint8Array)[],
): AsyncGenerator<string | Uint8Array> {
  yield* chunks;
}
