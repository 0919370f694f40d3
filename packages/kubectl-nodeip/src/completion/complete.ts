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
  // Shells put what stands before the value, such as `--output=`, back by themselves.
  const typed = (words.at(-1) ?? '').replace(/^--[^=]*=/, '');
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
  const typed = words.at(-1) ?? '';
  const inline = /^(--[^=]*)=/.exec(typed)?.[1];
  if (inline !== undefined) return choicesOf(valueAfter(inline, options));
  const value = valueAfter(words.at(-2) ?? '', options);
  if (value !== undefined) return choicesOf(value);
  if (typed.startsWith('-')) return Object.keys(options).map((name) => `--${name}`);
  return command === 'explain' && !hasPositional(words.slice(1, -1), options) ? nodeNames() : [];
}

/** What stands for the value of the option that a word names; undefined for a switch and for any other word. */
function valueAfter(word: string, options: OptionTable): string | undefined {
  const named = Object.entries(options).find(
    ([name, { short }]) => word === `--${name}` || (short !== undefined && word === `-${short}`),
  );
  return named?.[1].value;
}

function choicesOf(value = ''): readonly string[] {
  return value.includes('|') ? value.split('|') : [];
}

function hasPositional(words: readonly string[], options: OptionTable): boolean {
  return words.some(
    (word, index) =>
      !word.startsWith('-') && valueAfter(words[index - 1] ?? '', options) === undefined,
  );
}
