/** A provider that cannot be used: the program says so and ends. */
import { CcmError } from '@tandem/runtime';
import { guidePath } from './guide.ts';

/** Every code of loading a provider; the reference page is made from this. */
export const loadErrorCodes = {
  ProviderModuleNotLoaded: {
    meaning: 'The module that `--cloud-provider` names cannot be found or loaded.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Check the name or path, and that the module and what it needs are installed.',
  },
  ProviderModuleUnfit: {
    meaning: 'The module is there and is no provider that can be used; the message says why.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Compare it with the guide that the message names.',
  },
} as const;

export type ProviderLoadCode = keyof typeof loadErrorCodes;

export class ProviderLoadError extends CcmError {
  constructor(code: ProviderLoadCode, problem: string, cause?: unknown) {
    super(`${problem}. See ${guidePath}`, { code, retry: 'never', effect: 'none', cause });
  }
}
