/** A promise that was broken: which, when, and what was seen. The first one ends a world. */
export interface Violation {
  /** As the design numbers them; `ESR` where the world does not converge, `harness` for a fault of ours. */
  readonly promise: 'P1' | 'P2' | 'P3' | 'P5' | 'P6' | 'P7' | 'M6' | 'ESR' | 'harness';
  readonly message: string;
}

export type Accuse = (promise: Violation['promise'], message: string) => void;
