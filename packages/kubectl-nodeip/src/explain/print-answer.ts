/** Prints an answer as text, JSON or YAML. */
import { printData } from '../print/print-data.ts';
import type { Answer } from './answer.ts';
import type { OutputFormat } from './command-line.ts';
import { printText } from './print-text.ts';

export async function printAnswer(
  answer: Answer,
  { format, hasColour }: { readonly format: OutputFormat; readonly hasColour: boolean },
): Promise<string> {
  return format === 'text' ? printText(answer, { hasColour }) : printData(answer, format);
}
