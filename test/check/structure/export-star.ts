/** The rule `no-export-star`: a door lists what it lets through, so that a reader can see it. */
import type { ParsedFile } from './source-file.ts';
import type { Finding } from './violation.ts';

export function checkExportStar(file: ParsedFile): Finding[] {
  return file.program.body
    .filter((statement) => statement.type === 'ExportAllDeclaration')
    .map((statement) => ({
      rule: 'no-export-star',
      offset: statement.start,
      found: 'export * hides what is exported.',
      instead: "List the names: export { a, type B } from './file.ts'.",
    }));
}
