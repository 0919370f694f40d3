/** The fields that a map of a YAML file may have, declared once for the reader and the reference page. */
export interface FieldDeclaration {
  /** How the value is written, for people. */
  readonly type: string;
  readonly meaning: string;
  readonly isRequired?: true;
}

export type FieldTable<Name extends string = string> = Readonly<Record<Name, FieldDeclaration>>;
