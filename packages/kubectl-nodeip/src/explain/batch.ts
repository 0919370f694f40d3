/**
 * `explain --batch`: one JSON question a line in, one JSON answer a line out, in the same order, for
 * input of any length. A line that cannot be read is reported by its number and the others are still
 * answered. Memory stays flat: a bounded line is held, and writing waits for the reader.
 */
import type { KubeletKind } from '@tandem/core/node-address';
import { exitBadInput, exitOk } from '../exit-codes.ts';
import { type Streams, writeAll } from '../streams.ts';
import { type Answer, answerAnnotation, answerNodeIP } from './answer.ts';
import { type BatchQuestion, readBatchLine } from './batch-line.ts';
import type { Rules } from './command-line.ts';
import { readLines } from './read-lines.ts';
import { toJson } from './to-json.ts';

/** Far more than the addresses of one machine take. */
export const lineLengthMax: number = 1024 * 1024;

export async function answerBatch(
  { input, output, errors }: Streams,
  settings: { readonly rules: Rules; readonly kubelet: KubeletKind },
): Promise<number> {
  let exitCode = exitOk;
  let number = 0;
  for await (const lines of readLines(input, { lengthMax: lineLengthMax })) {
    let answers = '';
    let problems = '';
    for (const line of lines) {
      number++;
      const read = line.kind === 'line' ? readBatchLine(line.text) : tooLong;
      if (read.kind === 'blank') continue;
      if (read.kind === 'question') {
        const answer = answerQuestion(read.question, settings);
        const isPlain = line.kind === 'line' && isPlainLine(line.text);
        answers += `${isPlain ? JSON.stringify(answer) : toJson(answer)}\n`;
      } else {
        exitCode = exitBadInput;
        problems += `error: line ${number}: ${read.problem}\n`;
      }
    }
    await writeAll(errors, problems);
    await writeAll(output, answers);
  }
  return exitCode;
}

/**
 * Whether nothing that a terminal would obey can be in the answer: it is made of the question. Asking
 * the question is cheaper than searching the answer, which is four times as long.
 */
function isPlainLine(text: string): boolean {
  return /^[ -~]*$/.test(text) && !text.includes('\\u');
}

const tooLong = { kind: 'invalid', problem: `is longer than ${lineLengthMax} characters` } as const;

function answerQuestion(
  { name, cloud, asked }: BatchQuestion,
  { rules, kubelet }: { readonly rules: Rules; readonly kubelet: KubeletKind },
): Answer & { readonly name?: string } {
  const question = { ...rules, cloud };
  const answer =
    asked.kind === 'annotation'
      ? answerAnnotation(question, asked.value)
      : answerNodeIP(question, asked.value, kubelet);
  return name === undefined ? answer : { name, ...answer };
}
