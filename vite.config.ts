import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip, gzipSync } from 'node:zlib';
import {
  convertCssVariables,
  DEFAULT_THEME,
  deepMerge,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { endpoints } from './src/contract/endpoints.ts';
import { kitVariables, theme } from './src/web/theme/theme.ts';

/** Where `vite dev` finds the server; its Origin check sees the server's own address. */
const server = process.env.MERGELIGHT_SERVER ?? 'http://localhost:3000';
const toServer = { target: server, headers: { origin: server } };

/**
 * The browser needs of the contract only how and where to call, and its plain words; the shapes, and zod with them, are the server's
 * to check. Types are gone by then, and importing a shape's value is a build error.
 */
function contractForTheBrowser(): Plugin {
  const folder = join(import.meta.dirname, 'src/contract');
  return {
    name: 'contract-for-the-browser',
    enforce: 'pre',
    async load(id) {
      if (dirname(id) !== folder) return null;
      const values = basename(id) === 'endpoints.ts' ? { endpoints: calls() } : await import(pathToFileURL(id).href);
      return Object.entries(values)
        .filter(([name, value]) => name === 'endpoints' || isPlain(value))
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  };
}

function calls() {
  const entries = Object.entries(endpoints).map(([name, endpoint]) => {
    const { method, path, access, media } = { media: undefined, ...endpoint };
    return [name, { method, path, access, media }];
  });
  return Object.fromEntries(entries);
}

/**
 * The variables of the kit's theme in `kit-variables.css`, except those that its own style sheet sets already. The kit would add them as
 * a style element, which the Content-Security-Policy forbids.
 */
function kitVariablesSheet(): Plugin {
  const sheet = join(import.meta.dirname, 'src/web/theme/kit-variables.css');
  return {
    name: 'kit-variables',
    enforce: 'pre',
    load(id) {
      if (id !== sheet) return null;
      const merged = mergeMantineTheme(DEFAULT_THEME, theme);
      const before = defaultCssVariablesResolver(DEFAULT_THEME);
      const after = deepMerge(defaultCssVariablesResolver(merged), kitVariables(merged));
      const changed = (part: keyof typeof before) =>
        Object.fromEntries(
          Object.entries(after[part]).filter(
            ([name, value]) => (before[part] as Record<string, string>)[name] !== value,
          ),
        );
      const variables = { variables: changed('variables'), light: changed('light'), dark: changed('dark') };
      return convertCssVariables(variables, ':root');
    },
  };
}

/** The icons that are drawn larger than beside words: what says that there is nothing, or that something failed. */
const LARGE_ICONS = /\/(Alert|Inbox)Icon\.mjs$/;

/** An icon brings a drawing for each of its heights; all but a few are drawn beside words, at 16 pixels or less. */
function drawingsBesideWords(): Plugin {
  return {
    name: 'drawings-beside-words',
    transform(code, id) {
      if (!/@primer\/octicons-react\/dist\/icons\//.test(id) || LARGE_ICONS.test(id)) return null;
      const small = code
        .replaceAll(/,\n\t"(?:2[1-9]|[3-9]\d)": \{\n.*?\n\t\}/gs, '')
        .replace(/, "(?:2[1-9]|[3-9]\d)"(?:, "\d+")*\]/, ']');
      return { code: small, map: null };
    },
  };
}

/**
 * Begins each style sheet with the order of the layers as `base.css` says it: whichever is loaded first decides it, and that need not be
 * the one that holds it.
 */
function layersInOrder(): Plugin {
  const base = readFileSync(join(import.meta.dirname, 'src/web/theme/base.css'), 'utf8');
  const [order] = /@layer [\w, ]+;/.exec(base) ?? [];
  if (order === undefined) throw new Error('base.css says nothing of the order of layers.');
  return {
    name: 'layers-in-order',
    enforce: 'post',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = `${order}${file.source}`;
    },
  };
}

/** What the first load of the dashboard may weigh, compressed, in bytes. */
const BUDGET = { script: 200_000, style: 30_000 };

/** Fails the build when the dashboard, with data on it, needs more than its budget before anything is opened. */
function budgetOfTheFirstLoad(): Plugin {
  return {
    name: 'budget-of-the-first-load',
    enforce: 'post',
    apply: 'build',
    // As written: the list of what is loaded later is filled in at the very end.
    writeBundle({ dir }, bundle) {
      const needed = new Set<string>();
      const need = (file: string) => {
        const chunk = bundle[file];
        if (needed.has(file) || chunk?.type !== 'chunk') return;
        needed.add(file);
        for (const style of chunk.viteMetadata?.importedCss ?? []) needed.add(style);
        for (const imported of chunk.imports) need(imported);
      };
      for (const chunk of Object.values(bundle)) {
        const isDashboard =
          chunk.type === 'chunk' &&
          /screens\/dashboard\/(dashboard|people-tables)\.tsx$/.test(chunk.facadeModuleId ?? '');
        if (isDashboard || (chunk.type === 'chunk' && chunk.isEntry)) need(chunk.fileName);
      }
      const weigh = (ending: string) =>
        [...needed]
          .filter((file) => file.endsWith(ending))
          .reduce((sum, file) => sum + gzipSync(readFileSync(join(dir ?? '', file))).length, 0);
      const weights = { script: weigh('.js'), style: weigh('.css') };
      for (const kind of ['script', 'style'] as const) {
        const told = `The first load of the dashboard takes ${weights[kind]} bytes of ${kind}, of ${BUDGET[kind]}`;
        if (weights[kind] === 0 || weights[kind] > BUDGET[kind]) this.error(`${told}.`);
        this.info(`${told}.`);
      }
    },
  };
}

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];

/** Of fewer bytes compression saves nothing worth a file. */
const COMPRESSED_FROM = 1024;

/** Leaves every file of text compressed beside it, as small as can be: the server sends that, instead of compressing it for every request. */
function compressedBeside(): Plugin {
  return {
    name: 'compressed-beside',
    enforce: 'post',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      for (const file of Object.keys(bundle).filter((file) => /\.(js|css|svg)$/.test(file))) {
        const path = join(dir ?? '', file);
        const content = await readFile(path);
        if (content.length < COMPRESSED_FROM) continue;
        const [brotli, gzipped] = await Promise.all([toBrotli(content), toGzip(content)]);
        await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
      }
    },
  };
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || (Array.isArray(value) && value.every(isPlain));

export default defineConfig({
  root: 'src/web',
  plugins: [
    contractForTheBrowser(),
    kitVariablesSheet(),
    drawingsBesideWords(),
    react(),
    layersInOrder(),
    budgetOfTheFirstLoad(),
    compressedBeside(),
  ],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // The Content-Security-Policy allows no data: addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What most screens share of the icons is one file, and so is what they share of the kit, and the rooms below it: a file each costs
    // the first load more than they do.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'icons', test: /octicons-react/, minShareCount: 8 },
            {
              name: 'ground',
              // Days of a zone are for screens that no first load has.
              test: /src\/web\/(api|url|time\/(?!zone-days)|session)\/|questions\.ts$/,
              minShareCount: 3,
            },
            {
              name: 'kit',
              // Dialogs and segmented controls bring much of the kit along, and no first load has them, nor the hooks of what floats.
              test: /src\/web\/(kit(?!\/((loss-)?dialog|segmented-filter))|explain|table|layout|filters)\/|@mantine\/hooks(?!.*use-(long-press|focus|click-outside))/,
              minShareCount: 8,
            },
          ],
        },
      },
    },
  },
  // The sources have a folder `api` of their own, which the development server serves itself.
  server: {
    proxy: {
      '^/api/(?!.*\\.tsx?(\\?|$))': toServer,
      ...{
        '/auth': toServer,
        '/webhooks': toServer,
        '/docs': toServer,
        '/confirm': toServer,
        '/unsubscribe': toServer,
      },
    },
  },
});
