# ruleid: parapet.terraform.aws-database-unencrypted
resource "aws_db_instance" "plain" {
  storage_encrypted = false
}
# ruleid: parapet.terraform.aws-database-unencrypted
resource "aws_redshift_cluster" "plain" {
  cluster_identifier = "plain"
  encrypted          = false
}
# ok: parapet.terraform.aws-database-unencrypted
resource "aws_db_instance" "sealed" {
  storage_encrypted = true
}
# ok: parapet.terraform.aws-database-unencrypted
resource "aws_rds_cluster" "chosen" {
  storage_encrypted = var.encrypted
}
# ruleid: parapet.terraform.aws-disk-unencrypted
resource "aws_ebs_volume" "plain" {
  size      = 10
  encrypted = false
}
resource "aws_instance" "plain" {
  # ruleid: parapet.terraform.aws-disk-unencrypted
  root_block_device {
    volume_size = 10
    encrypted   = false
  }
}
# ok: parapet.terraform.aws-disk-unencrypted
resource "aws_ebs_volume" "sealed" {
  size      = 10
  encrypted = true
}
resource "aws_instance" "sealed" {
  # ok: parapet.terraform.aws-disk-unencrypted
  root_block_device {
    volume_size = 10
  }
}
# ruleid: parapet.terraform.aws-load-balancer-plain-http
resource "aws_lb_listener" "plain" {
  port     = 80
  protocol = "HTTP"
  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.web.arn
  }
}
# ruleid: parapet.terraform.aws-load-balancer-plain-http
resource "aws_alb_listener" "plain" {
  default_action {
    target_group_arn = aws_lb_target_group.web.arn
    type             = "forward"
  }
  protocol = "HTTP"
  port     = 8080
}
# ok: parapet.terraform.aws-load-balancer-plain-http
resource "aws_lb_listener" "redirect" {
  port     = 80
  protocol = "HTTP"
  default_action {
    type = "redirect"
    redirect {
      port        = "443"
      protocol    = "HTTPS"
      status_code = "HTTP_301"
    }
  }
}
# ok: parapet.terraform.aws-load-balancer-plain-http
resource "aws_lb_listener" "secure" {
  port     = 443
  protocol = "HTTPS"
  # a policy of today
  ssl_policy = "ELBSecurityPolicy-TLS13-1-2-2021-06"
  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.web.arn
  }
}
# ruleid: parapet.terraform.aws-load-balancer-old-tls
resource "aws_lb_listener" "old" {
  protocol   = "HTTPS"
  ssl_policy = "ELBSecurityPolicy-2016-08"
}
# ruleid: parapet.terraform.aws-load-balancer-old-tls
resource "aws_alb_listener" "older" {
  protocol   = "HTTPS"
  ssl_policy = "ELBSecurityPolicy-TLS-1-1-2017-01"
}
# ok: parapet.terraform.aws-load-balancer-old-tls
resource "aws_lb_listener" "good" {
  protocol   = "HTTPS"
  ssl_policy = "ELBSecurityPolicy-TLS13-1-2-2021-06"
}
# ok: parapet.terraform.aws-load-balancer-old-tls
resource "aws_lb_listener" "forward_secrecy" {
  protocol   = "HTTPS"
  ssl_policy = "ELBSecurityPolicy-FS-1-2-Res-2020-10"
}
resource "aws_cloudfront_distribution" "plain" {
  # ruleid: parapet.terraform.aws-cloudfront-plain-http
  default_cache_behavior {
    target_origin_id       = "site"
    viewer_protocol_policy = "allow-all"
  }
  # ruleid: parapet.terraform.aws-cloudfront-plain-http
  ordered_cache_behavior {
    path_pattern           = "/files/*"
    viewer_protocol_policy = "allow-all"
  }
  # ruleid: parapet.terraform.aws-cloudfront-old-tls
  viewer_certificate {
    acm_certificate_arn      = var.certificate
    minimum_protocol_version = "TLSv1"
  }
}
resource "aws_cloudfront_distribution" "secure" {
  # ok: parapet.terraform.aws-cloudfront-plain-http
  default_cache_behavior {
    viewer_protocol_policy = "redirect-to-https"
  }
  # ok: parapet.terraform.aws-cloudfront-plain-http
  ordered_cache_behavior {
    viewer_protocol_policy = "https-only"
  }
  # ok: parapet.terraform.aws-cloudfront-old-tls
  viewer_certificate {
    minimum_protocol_version = "TLSv1.2_2021"
  }
}
resource "aws_cloudfront_distribution" "other" {
  # ruleid: parapet.terraform.aws-cloudfront-old-tls
  viewer_certificate {
    minimum_protocol_version = "TLSv1.1_2016"
  }
}
resource "aws_cloudfront_distribution" "shared" {
  # ok: parapet.terraform.aws-cloudfront-old-tls
  viewer_certificate {
    cloudfront_default_certificate = true
  }
}
# ruleid: parapet.terraform.aws-kms-no-rotation
resource "aws_kms_key" "still" {
  enable_key_rotation = false
}
# ruleid: parapet.terraform.aws-kms-no-rotation
resource "aws_kms_key" "still_named" {
  description         = "logs"
  enable_key_rotation = false
}
# ok: parapet.terraform.aws-kms-no-rotation
resource "aws_kms_key" "turning" {
  enable_key_rotation = true
}
# ok: parapet.terraform.aws-kms-no-rotation
resource "aws_kms_key" "signing" {
  key_usage           = "SIGN_VERIFY"
  enable_key_rotation = false
}
# ruleid: parapet.terraform.aws-cloudtrail-validation-off
resource "aws_cloudtrail" "bare" {
  name                       = "trail"
  enable_log_file_validation = false
}
# ruleid: parapet.terraform.aws-cloudtrail-validation-off
resource "aws_cloudtrail" "bare_everywhere" {
  enable_log_file_validation = false
  is_multi_region_trail      = true
}
# ok: parapet.terraform.aws-cloudtrail-validation-off
resource "aws_cloudtrail" "sealed" {
  name                       = "trail"
  enable_log_file_validation = true
}
# ok: parapet.terraform.aws-cloudtrail-validation-off
resource "aws_cloudtrail" "chosen" {
  enable_log_file_validation = var.validation
}
# ruleid: parapet.terraform.aws-search-unencrypted
resource "aws_opensearch_domain" "plain" {
  encrypt_at_rest {
    enabled = false
  }
}
# ruleid: parapet.terraform.aws-search-unencrypted
resource "aws_elasticsearch_domain" "plain" {
  domain_endpoint_options {
    enforce_https = false
  }
}
# ok: parapet.terraform.aws-search-unencrypted
resource "aws_opensearch_domain" "sealed" {
  encrypt_at_rest {
    enabled = true
  }
  domain_endpoint_options {
    enforce_https = true
  }
}
# ok: parapet.terraform.aws-search-unencrypted
resource "aws_elasticsearch_domain" "sealed" {
  node_to_node_encryption {
    enabled = true
  }
}
# ruleid: parapet.terraform.aws-cache-unencrypted
resource "aws_elasticache_replication_group" "plain" {
  transit_encryption_enabled = false
}
# ruleid: parapet.terraform.aws-cache-unencrypted
resource "aws_elasticache_replication_group" "plain_disk" {
  transit_encryption_enabled = true
  at_rest_encryption_enabled = false
}
# ok: parapet.terraform.aws-cache-unencrypted
resource "aws_elasticache_replication_group" "sealed" {
  transit_encryption_enabled = true
  at_rest_encryption_enabled = true
}
# ok: parapet.terraform.aws-cache-unencrypted
resource "aws_elasticache_replication_group" "chosen" {
  transit_encryption_enabled = var.encrypted
}
# ruleid: parapet.terraform.hard-coded-password
resource "aws_db_instance" "known" {
  username = "app"
  password = "correct-horse-1"
}
# ruleid: parapet.terraform.hard-coded-password
provider "postgresql" {
  host     = "db.internal"
  password = "correct-horse-2"
}
# ok: parapet.terraform.hard-coded-password
resource "aws_db_instance" "secret" {
  username = "app"
  password = var.database_password
}
# ok: parapet.terraform.hard-coded-password
resource "azurerm_mssql_server" "secret" {
  administrator_login_password = "${random_password.database.result}"
}
