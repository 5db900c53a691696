import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { FailureBoundary } from './kit/failure-screen.tsx';
import { Tips } from './kit/tips.tsx';
import { router } from './routes.tsx';
import { SessionProvider } from './session/session.tsx';
import { theme } from './theme/theme.ts';

/** The key that `public/color-scheme.js` reads before the first paint. */
const colorScheme = localStorageColorSchemeManager({ key: 'color-scheme' });

/** The whole application: kit, cache, session and router. */
export function App() {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        // The Content-Security-Policy allows no style elements: theme/kit-variables.css has the variables.
        withCssVariables={false}
        withGlobalClasses={false}
        colorSchemeManager={colorScheme}
        defaultColorScheme="auto"
      >
        <FailureBoundary>
          <QueryClientProvider client={router.options.context.queries}>
            <SessionProvider>
              <RouterProvider router={router} />
              <Tips />
            </SessionProvider>
          </QueryClientProvider>
        </FailureBoundary>
      </MantineProvider>
    </StrictMode>
  );
}
