/** The `--output` of a tool that takes no other option. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Undefined without the option. Any other argument ends the process with code 2. */
export function readOutput(tool: {
  /** `npm run build`. */
  readonly command: string;
  /** `DIRECTORY`. */
  readonly value: string;
}): string | undefined {
  try {
    const { output } = parseArgs({ options: { output: { type: 'string' } } }).values;
    return output === undefined ? undefined : resolve(output);
  } catch (err) {
    const problem = err instanceof Error ? err.message : String(err);
    process.stderr.write(`error: ${problem}; ${tool.command} takes only --output ${tool.value}\n`);
    process.exit(2);
  }
}
