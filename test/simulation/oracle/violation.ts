/** A promise that was broken: which, when, and what was seen. The first one ends a world. */
export interface Violation {
  /** As the design numbers them; `ESR` where the world does not converge, `harness` for a fault of ours. */
  readonly promise: Rule | 'harness';
  readonly message: string;
}

export type Rule =
  | 'P1'
  | 'P2'
  | 'P3'
  | 'P5'
  | 'P6'
  | 'P7'
  | 'M6'
  | 'I1'
  | 'I2'
  | 'I3'
  | 'I4'
  | 'I6'
  | 'I7'
  | 'I8'
  | 'I9'
  | 'T1'
  | 'T2'
  | 'T3'
  | 'T4'
  | 'T5'
  | 'T6'
  | 'T7'
  | 'ESR';

export type Accuse = (promise: Violation['promise'], message: string) => void;
