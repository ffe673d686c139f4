import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { useRestoreFocus } from './use-restore-focus.ts';

/** A dialog that is open for as long as it is there; then the focus is where it was. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useRestoreFocus();
  return <Modal opened {...props} />;
}

/** The same at the side of the page, for long forms. */
export function SideDialog(props: Omit<DrawerProps, 'opened'>) {
  useRestoreFocus();
  return <Drawer opened {...props} />;
}
