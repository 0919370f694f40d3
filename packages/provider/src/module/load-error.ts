/** The provider cannot be used. The program prints this error and ends. */
import { CcmError } from '@tandem/runtime';
import { guidePath } from './guide.ts';

/** Every error code of loading a provider. The reference page is generated from this table. */
export const loadErrorCodes = {
  ProviderModuleNotLoaded: {
    meaning: 'Node.js cannot find or load the module that `--cloud-provider` names.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Check the name or path. Check that the module and its dependencies are installed.',
  },
  ProviderModuleUnfit: {
    meaning: 'The module was loaded, but is not a valid provider. The message says why.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Compare the module with the guide that the message names.',
  },
  ProviderNotCreated: {
    meaning:
      'The module was loaded, but its `createProvider` threw an error. The message has its words.',
    retry: ['never'],
    effect: ['none'],
    remedy:
      'Do what the message says. If it does not say, check the credentials of the provider and the file of `--cloud-config`.',
  },
} as const;

export type ProviderLoadCode = keyof typeof loadErrorCodes;

export class ProviderLoadError extends CcmError {
  constructor(code: ProviderLoadCode, problem: string, cause?: unknown) {
    super(`${problem}. See ${guidePath}`, { code, retry: 'never', effect: 'none', cause });
  }
}
