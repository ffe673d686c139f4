# ruleid: parapet.terraform.google-public-member
resource "google_storage_bucket_iam_member" "a" {
  role   = "roles/storage.objectViewer"
  member = "allUsers"
}
# ruleid: parapet.terraform.google-public-member
resource "google_kms_crypto_key_iam_binding" "b" {
  role    = "roles/cloudkms.cryptoKeyDecrypter"
  members = ["allAuthenticatedUsers"]
}
# ok: parapet.terraform.google-public-member
resource "google_storage_bucket_iam_member" "c" {
  role   = "roles/storage.objectViewer"
  member = "group:team@example.com"
}
# ok: parapet.terraform.google-public-member
resource "google_cloud_run_service_iam_member" "d" {
  role   = "roles/run.invoker"
  member = "allUsers"
}
# ruleid: parapet.terraform.google-firewall-open-admin-port
resource "google_compute_firewall" "e" {
  source_ranges = ["0.0.0.0/0"]
  allow {
    protocol = "tcp"
    ports    = ["22"]
  }
}
# ruleid: parapet.terraform.google-firewall-open-admin-port
resource "google_compute_firewall" "f" {
  allow {
    protocol = "tcp"
    ports    = ["443", "3389"]
  }
  source_ranges = ["0.0.0.0/0"]
}
# ok: parapet.terraform.google-firewall-open-admin-port
resource "google_compute_firewall" "g" {
  source_ranges = ["35.235.240.0/20"]
  allow {
    protocol = "tcp"
    ports    = ["22"]
  }
}
# ok: parapet.terraform.google-firewall-open-admin-port
resource "google_compute_firewall" "h" {
  source_ranges = ["0.0.0.0/0"]
  allow {
    protocol = "tcp"
    ports    = ["443"]
  }
}
resource "google_sql_database_instance" "i" {
  settings {
    # ruleid: parapet.terraform.google-sql-plain-connections
    ip_configuration {
      require_ssl = false
      # ruleid: parapet.terraform.google-sql-open-network
      authorized_networks {
        name  = "all"
        value = "0.0.0.0/0"
      }
      # ok: parapet.terraform.google-sql-open-network
      authorized_networks {
        value = "192.0.2.0/24"
      }
    }
  }
}
resource "google_sql_database_instance" "j" {
  settings {
    # ruleid: parapet.terraform.google-sql-plain-connections
    ip_configuration {
      ssl_mode = "ALLOW_UNENCRYPTED_AND_ENCRYPTED"
      # ruleid: parapet.terraform.google-sql-open-network
      authorized_networks {
        value = "0.0.0.0/0"
      }
    }
  }
}
resource "google_sql_database_instance" "k" {
  settings {
    # ok: parapet.terraform.google-sql-plain-connections
    ip_configuration {
      ssl_mode = "ENCRYPTED_ONLY"
      # ok: parapet.terraform.google-sql-open-network
      authorized_networks {
        value = var.office
      }
    }
  }
}
resource "google_sql_database_instance" "l" {
  settings {
    # ok: parapet.terraform.google-sql-plain-connections
    ip_configuration {
      require_ssl = true
    }
  }
}
# ruleid: parapet.terraform.google-kubernetes-legacy-access
resource "google_container_cluster" "m" {
  enable_legacy_abac = true
}
# ruleid: parapet.terraform.google-kubernetes-legacy-access
resource "google_container_cluster" "n" {
  name               = "n"
  enable_legacy_abac = true
  location           = "europe-west1"
}
# ok: parapet.terraform.google-kubernetes-legacy-access
resource "google_container_cluster" "o" {
  enable_legacy_abac = false
}
# ok: parapet.terraform.google-kubernetes-legacy-access
resource "google_container_cluster" "p" {
  name = "p"
}
# ruleid: parapet.terraform.google-basic-role
resource "google_project_iam_member" "q" {
  role   = "roles/owner"
  member = "serviceAccount:app@example.iam.gserviceaccount.com"
}
# ruleid: parapet.terraform.google-basic-role
resource "google_folder_iam_binding" "r" {
  role    = "roles/editor"
  members = ["group:team@example.com"]
}
# ok: parapet.terraform.google-basic-role
resource "google_project_iam_member" "s" {
  role = "roles/storage.objectViewer"
}
# ok: parapet.terraform.google-basic-role
resource "google_project_iam_member" "t" {
  role = "roles/viewer"
}
# ruleid: parapet.terraform.google-bucket-per-object-access
resource "google_storage_bucket" "u" {
  uniform_bucket_level_access = false
}
# ruleid: parapet.terraform.google-bucket-per-object-access
resource "google_storage_bucket" "v" {
  name                        = "v"
  location                    = "EU"
  uniform_bucket_level_access = false
}
# ok: parapet.terraform.google-bucket-per-object-access
resource "google_storage_bucket" "w" {
  uniform_bucket_level_access = true
}
# ok: parapet.terraform.google-bucket-per-object-access
resource "google_storage_bucket" "x" {
  name = "x"
}
