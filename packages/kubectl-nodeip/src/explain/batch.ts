/**
 * `explain --batch`: reads one JSON question from each line and writes one JSON answer on each line, in the same order,
 * for input of any length. It reports an unreadable line by its number and answers the others, but refuses an input of
 * another shape as a whole. It keeps only one line of limited length in memory, and waits for the reader of its output.
 */
import type { KubeletKind } from '@tandem/core/node-address';
import { exitBadInput, exitOk } from '../exit-codes.ts';
import { InputError, type Streams, writeAll } from '../streams.ts';
import { type Answer, answerAnnotation, answerNodeIP } from './answer.ts';
import { type BatchLine, type BatchQuestion, readBatchLine } from './batch-line.ts';
import type { Rules } from './command-line.ts';
import { type Line, readLines } from './read-lines.ts';
import { refuseOtherShapes } from './refuse-other-shapes.ts';
import { toJson } from '../print/to-json.ts';

/** The maximum length of a line, far more than the addresses of one machine need. */
export const lineLengthMax: number = 1024 * 1024;

/** The length of a write, which is what a pipe accepts at once, so that its reader can work in parallel. */
const pieceLength = 64 * 1024;

export interface BatchSettings {
  readonly rules: Rules;
  readonly kubelet: KubeletKind;
}

export async function answerBatch(streams: Streams, settings: BatchSettings): Promise<number> {
  try {
    return await answerLines(streams, settings);
  } catch (err) {
    if (!(err instanceof InputError)) throw err;
    await writeAll(streams.errors, `error: ${err.message}\n`);
    return exitBadInput;
  }
}

async function answerLines(
  { input, output, errors }: Streams,
  settings: BatchSettings,
): Promise<number> {
  let answers = '';
  const writeAnswers = async (): Promise<void> => {
    const text = answers;
    answers = '';
    await writeAll(output, text);
  };
  let exitCode = exitOk;
  let number = 0;
  const lines = readLines(input, { lengthMax: lineLengthMax });
  for await (const some of refuseOtherShapes(lines)) {
    let problems = '';
    for (const line of some) {
      number++;
      const read = readLine(line);
      if (read.kind === 'question') {
        answers += printLine(read.question, settings);
        if (answers.length >= pieceLength) await writeAnswers();
      } else if (read.kind === 'invalid') {
        exitCode = exitBadInput;
        problems += `error: line ${number}: ${read.problem}\n`;
      }
    }
    await writeAll(errors, problems);
    await writeAnswers();
  }
  return exitCode;
}

function readLine(line: Line): BatchLine {
  return line.kind === 'line' ? readBatchLine(line.text) : tooLong;
}

const tooLong = { kind: 'invalid', problem: `longer than ${lineLengthMax} characters` } as const;

function printLine(question: BatchQuestion, settings: BatchSettings): string {
  const { name } = question;
  const answer = answerQuestion(question, settings);
  return `${toJson(name === undefined ? answer : { name, ...answer })}\n`;
}

function answerQuestion(
  { cloud, asked }: BatchQuestion,
  { rules, kubelet }: BatchSettings,
): Answer {
  const { exclusions, gates } = rules;
  const question = { cloud, exclusions, gates };
  return asked.kind === 'annotation'
    ? answerAnnotation(question, asked.value)
    : answerNodeIP(question, asked.value, kubelet);
}
