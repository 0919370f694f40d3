/** The static inventory for tests of packages that may not import a provider. */
export { createStaticProvider } from '@tandem/provider-static';
