// How the client's own tests run: like the build, in a simulated page. Apart from vite.config.ts, so that a build needs no test runner.
import { defineConfig, mergeConfig } from 'vitest/config';
import build from './vite.config.ts';

export default mergeConfig(
  build,
  defineConfig({
    resolve: { conditions: ['browser'] },
    test: { environment: 'happy-dom', isolate: false, include: ['tests/**/*.test.ts', 'src/**/*.test.ts'], restoreMocks: true },
  }),
);
