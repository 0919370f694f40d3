export { guidePath } from './guide.ts';
export { loadErrorCodes, ProviderLoadError, type ProviderLoadCode } from './load-error.ts';
export { type Importer, loadProvider } from './load-provider.ts';
export {
  type OwnProvider,
  ownProviders,
  type ProviderSource,
  providerSourceOf,
} from './provider-source.ts';
export { readProvider, readProviderModule } from './read-provider.ts';
