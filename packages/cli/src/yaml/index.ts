export type { FieldDeclaration, FieldTable } from './field-table.ts';
export { type ConfigProblem, formatPlace, formatProblem } from './problem.ts';
export { type Fields, type Value, YamlValues } from './yaml-values.ts';
