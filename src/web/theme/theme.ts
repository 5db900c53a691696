import { ActionIcon, Button, type CSSVariablesResolver, createTheme } from '@mantine/core';
import { TriangleDownIcon } from '@primer/octicons-react';
import { createElement } from 'react';
import { FocusableButton } from './focusable-button.ts';

const rem = (pixels: number) => `${pixels / 16}rem`;

/** The kit's settings. Colours come from `tokens.css`, so components need no colour props. */
export const theme = createTheme({
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(16), xl: rem(20) },
  lineHeights: { xs: '1.3334', sm: '1.5385', md: '1.4286', lg: '1.5', xl: '1.4' },
  spacing: { xs: rem(8), sm: rem(12), md: rem(16), lg: rem(20), xl: rem(28) },
  radius: { xs: rem(4), sm: rem(6), md: rem(8), lg: rem(10), xl: rem(14) },
  defaultRadius: 'sm',
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  primaryColor: 'blue',
  primaryShade: 6,
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  colors: {
    blue: [
      '#eef3fe',
      '#dde6fa',
      '#cbdaf9',
      '#92b1f0',
      '#6b93f0',
      '#4b78e0',
      '#2a5bd0',
      '#234db3',
      '#1f3f93',
      '#18233f',
    ],
    gray: [
      '#f7f8fa',
      '#f4f5f7',
      '#eef0f3',
      '#e6e8ec',
      '#cdd2da',
      '#a6aebb',
      '#868e9c',
      '#667080',
      '#515966',
      '#171a21',
    ],
    dark: [
      '#e9ebef',
      '#a6aebb',
      '#8a93a2',
      '#666f7d',
      '#3a414d',
      '#252a33',
      '#1a1e25',
      '#13161b',
      '#0d0f13',
      '#090b0e',
    ],
  },
  headings: { fontFamily: 'var(--sans)', fontWeight: '600' },
  // Lazily loaded components are named without importing them: the first load does without.
  components: {
    Button: Button.extend({
      defaultProps: { component: FocusableButton },
      vars: (_theme, props) => ({
        root: props.size ? {} : { '--button-height': rem(32), '--button-padding-x': rem(12), '--button-fz': rem(13) },
      }),
    }),
    ActionIcon: ActionIcon.extend({
      defaultProps: { component: FocusableButton, variant: 'subtle', color: 'gray' },
      vars: (_theme, props) => ({ root: props.size ? {} : { '--ai-size': rem(28) } }),
    }),
    Input: {
      vars: () => ({
        wrapper: { '--input-height': rem(32), '--input-fz': rem(13), '--input-bd': 'var(--line-control)' },
      }),
    },
    InputWrapper: {
      vars: () => ({ label: { '--input-label-size': rem(13) }, error: {}, description: {}, success: {} }),
    },
    // The kit's own chevron takes its size from the style sheet of another component, which is not loaded with a select.
    NativeSelect: {
      defaultProps: { rightSection: createElement(TriangleDownIcon, { size: 16 }), rightSectionWidth: rem(28) },
    },
    Menu: { defaultProps: { offset: 4, transitionProps: { transition: 'pop', duration: 140 } } },
    Popover: {
      defaultProps: { offset: 4, withArrow: true, radius: 'lg', transitionProps: { duration: 140 } },
    },
    Modal: {
      defaultProps: { size: rem(560), yOffset: rem(104), radius: 12, transitionProps: { duration: 180 } },
    },
    // Dialogs keep the page still themselves (`page-lock.ts`): the kit would add a style element for it.
    ModalRoot: { defaultProps: { removeScrollProps: { removeScrollBar: false } } },
    DrawerRoot: { defaultProps: { removeScrollProps: { removeScrollBar: false } } },
    SegmentedControl: { defaultProps: { radius: 'md', transitionDuration: 100 } },
  },
});

/**
 * Points the kit's own variables at the tokens of the present scheme.
 * @internal for the build, which makes them a style sheet
 */
export const kitVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--canvas)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-2)',
    '--mantine-color-placeholder': 'var(--text-3)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-error': 'var(--bad)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-disabled': 'var(--sunken)',
    '--mantine-color-disabled-color': 'var(--text-3)',
    '--mantine-color-disabled-border': 'transparent',
    '--mantine-primary-color-filled': 'var(--accent-fill)',
    '--mantine-primary-color-filled-hover': 'var(--accent-fill-hover)',
    '--mantine-color-blue-filled': 'var(--accent-fill)',
    '--mantine-color-blue-filled-hover': 'var(--accent-fill-hover)',
    '--mantine-color-blue-light': 'var(--accent-tint)',
    '--mantine-color-blue-light-hover': 'var(--accent-tint)',
    '--mantine-color-blue-light-color': 'var(--accent)',
    '--mantine-color-gray-light-hover': 'var(--hover)',
    '--mantine-color-gray-light-color': 'var(--text-2)',
  };
  return { variables: { '--mantine-line-height': '1.5385' }, light: shared, dark: shared };
};
