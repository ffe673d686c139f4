# ruleid: parapet.terraform.azure-storage-plain-http
resource "azurerm_storage_account" "a" {
  enable_https_traffic_only = false
}
# ruleid: parapet.terraform.azure-storage-plain-http
resource "azurerm_storage_account" "b" {
  name                       = "b"
  https_traffic_only_enabled = false
}
# ok: parapet.terraform.azure-storage-plain-http
resource "azurerm_storage_account" "c" {
  https_traffic_only_enabled = true
}
# ok: parapet.terraform.azure-storage-plain-http
resource "azurerm_storage_account" "d" {
  name = "d"
}
# ruleid: parapet.terraform.azure-storage-public-blobs
resource "azurerm_storage_account" "e" {
  allow_nested_items_to_be_public = true
}
# ruleid: parapet.terraform.azure-storage-public-blobs
resource "azurerm_storage_container" "f" {
  container_access_type = "blob"
}
# ok: parapet.terraform.azure-storage-public-blobs
resource "azurerm_storage_container" "g" {
  container_access_type = "private"
}
# ok: parapet.terraform.azure-storage-public-blobs
resource "azurerm_storage_account" "h" {
  allow_nested_items_to_be_public = false
}
# ruleid: parapet.terraform.azure-old-tls
resource "azurerm_storage_account" "i" {
  min_tls_version = "TLS1_0"
}
# ruleid: parapet.terraform.azure-old-tls
resource "azurerm_mssql_server" "j" {
  minimum_tls_version = "1.1"
}
# ok: parapet.terraform.azure-old-tls
resource "azurerm_storage_account" "k" {
  min_tls_version = "TLS1_2"
}
# ok: parapet.terraform.azure-old-tls
resource "azurerm_mssql_server" "l" {
  minimum_tls_version = "1.2"
}
resource "azurerm_network_security_group" "m" {
  # ruleid: parapet.terraform.azure-network-open-admin-port
  security_rule {
    direction              = "Inbound"
    access                 = "Allow"
    destination_port_range = "22"
    source_address_prefix  = "*"
  }
  # ok: parapet.terraform.azure-network-open-admin-port
  security_rule {
    direction              = "Inbound"
    access                 = "Deny"
    destination_port_range = "*"
    source_address_prefix  = "*"
  }
  # ok: parapet.terraform.azure-network-open-admin-port
  security_rule {
    direction              = "Inbound"
    access                 = "Allow"
    destination_port_range = "22"
    source_address_prefix  = "192.0.2.0/24"
  }
}
# ruleid: parapet.terraform.azure-network-open-admin-port
resource "azurerm_network_security_rule" "n" {
  access                 = "Allow"
  direction              = "Inbound"
  destination_port_range = "3389"
  source_address_prefix  = "Internet"
}
# ruleid: parapet.terraform.azure-app-plain-http
resource "azurerm_linux_web_app" "o" {
  https_only = false
}
# ruleid: parapet.terraform.azure-app-plain-http
resource "azurerm_windows_function_app" "p" {
  name       = "p"
  https_only = false
}
# ok: parapet.terraform.azure-app-plain-http
resource "azurerm_linux_web_app" "q" {
  https_only = true
}
# ok: parapet.terraform.azure-app-plain-http
resource "azurerm_linux_web_app" "r" {
  https_only = var.https_only
}
# ruleid: parapet.terraform.azure-sql-firewall-any
resource "azurerm_mssql_firewall_rule" "s" {
  start_ip_address = "0.0.0.0"
  end_ip_address   = "255.255.255.255"
}
# ruleid: parapet.terraform.azure-sql-firewall-any
resource "azurerm_postgresql_flexible_server_firewall_rule" "t" {
  name             = "all"
  start_ip_address = "0.0.0.0"
  end_ip_address   = "255.255.255.255"
}
# ok: parapet.terraform.azure-sql-firewall-any
resource "azurerm_mssql_firewall_rule" "u" {
  start_ip_address = "0.0.0.0"
  end_ip_address   = "0.0.0.0"
}
# ok: parapet.terraform.azure-sql-firewall-any
resource "azurerm_mssql_firewall_rule" "v" {
  start_ip_address = "192.0.2.1"
  end_ip_address   = "192.0.2.20"
}
# ruleid: parapet.terraform.azure-key-vault-no-purge-protection
resource "azurerm_key_vault" "w" {
  purge_protection_enabled = false
}
# ruleid: parapet.terraform.azure-key-vault-no-purge-protection
resource "azurerm_key_vault" "x" {
  name                     = "x"
  purge_protection_enabled = false
  sku_name                 = "standard"
}
# ok: parapet.terraform.azure-key-vault-no-purge-protection
resource "azurerm_key_vault" "y" {
  purge_protection_enabled = true
}
# ok: parapet.terraform.azure-key-vault-no-purge-protection
resource "azurerm_key_vault" "z" {
  purge_protection_enabled = var.is_production
}
# ruleid: parapet.terraform.azure-kubernetes-no-rbac
resource "azurerm_kubernetes_cluster" "aa" {
  role_based_access_control_enabled = false
}
# ruleid: parapet.terraform.azure-kubernetes-no-rbac
resource "azurerm_kubernetes_cluster" "ab" {
  role_based_access_control {
    enabled = false
  }
}
# ok: parapet.terraform.azure-kubernetes-no-rbac
resource "azurerm_kubernetes_cluster" "ac" {
  role_based_access_control_enabled = true
}
# ok: parapet.terraform.azure-kubernetes-no-rbac
resource "azurerm_kubernetes_cluster" "ad" {
  name = "ad"
}
# ruleid: parapet.terraform.azure-vm-password-login
resource "azurerm_linux_virtual_machine" "ae" {
  disable_password_authentication = false
}
# ruleid: parapet.terraform.azure-vm-password-login
resource "azurerm_linux_virtual_machine_scale_set" "af" {
  admin_username                  = "app"
  disable_password_authentication = false
}
# ok: parapet.terraform.azure-vm-password-login
resource "azurerm_linux_virtual_machine" "ag" {
  disable_password_authentication = true
}
# ok: parapet.terraform.azure-vm-password-login
resource "azurerm_windows_virtual_machine" "ah" {
  admin_username = "app"
}
