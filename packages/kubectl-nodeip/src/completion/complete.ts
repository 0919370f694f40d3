/**
 * What kubectl's completion of plugins asks for: `kubectl_complete-nodeip` is run with the words of the command line, the
 * last of which is being typed, and answers one completion a line and a directive of cobra's after a colon.
 */
import type { OptionTable } from '@tandem/cli/options';

/** Cobra's: what is listed is all there is, and files are none of it. */
export const noFiles = ':4';

export interface CompletionParts {
  readonly commands: readonly string[];
  /** The options of a command; undefined for a word that is none. */
  readonly optionsOf: (command: string) => Promise<OptionTable | undefined>;
  /** The names of the cluster's nodes; none where they cannot be read. */
  readonly nodeNames: () => Promise<readonly string[]>;
}

export async function complete(words: readonly string[], parts: CompletionParts): Promise<string> {
  const typed = words.at(-1) ?? '';
  const found = (await candidates(words, parts)).filter((one) => one.startsWith(typed));
  return `${[...found, noFiles].join('\n')}\n`;
}

async function candidates(
  words: readonly string[],
  { commands, optionsOf, nodeNames }: CompletionParts,
): Promise<readonly string[]> {
  const [command = ''] = words;
  if (words.length < 2) return commands;
  const options = await optionsOf(command);
  if (options === undefined) return [];
  const before = words.at(-2) ?? '';
  const asked = Object.entries(options).find(
    ([name, { short }]) =>
      before === `--${name}` || (short !== undefined && before === `-${short}`),
  );
  const value = asked?.[1].value;
  if (value !== undefined) return value.includes('|') ? value.split('|') : [];
  if ((words.at(-1) ?? '').startsWith('-')) return Object.keys(options).map((name) => `--${name}`);
  return command === 'explain' ? nodeNames() : [];
}
