import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { useRestoreFocus } from './use-restore-focus.ts';

/** A dialog that is open while it is mounted, and restores the focus on unmount. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useRestoreFocus();
  return <Modal opened {...props} />;
}

/** The same as a drawer, for long forms. */
export function SideDialog(props: Omit<DrawerProps, 'opened'>) {
  useRestoreFocus();
  return <Drawer opened {...props} />;
}
