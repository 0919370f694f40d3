export type { FieldDeclaration, FieldTable } from './field-table.ts';
export {
  type Entry,
  type FieldNames,
  type Fields,
  type Place,
  type Value,
  YamlReader,
} from './yaml-reader.ts';
export { type ConfigProblem, formatPlace, formatProblem, YamlValues } from './yaml-values.ts';
